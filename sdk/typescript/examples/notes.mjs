// A note-taking assistant that needs no model.
//
//   node notes.mjs notes.db "I live in Pune." "I moved to Bangalore." "Where do I live?"
//
// What is written is kept word for word, rules find facts in it, and a line that ends in a
// question mark is answered from both.
import { Memory } from "orma-memory";

const [path, ...lines] = process.argv.slice(2);
if (path === undefined || lines.length === 0) {
  console.error("usage: node notes.mjs DATABASE LINE…");
  process.exit(2);
}
const memory = new Memory({ path });
try {
  for (const line of lines) {
    if (!line.endsWith("?")) {
      await memory.observe("user", line);
      await memory.sleep();
      continue;
    }
    const found = await memory.search(line);
    found.states.forEach((s) => console.log(s.text));
    found.passages.flatMap((p) => p.outdated).forEach((o) => console.log(`${o.text} [outdated: now ${o.now}]`));
  }
} catch (e) {
  console.error(`notes: ${e.message}`);
  process.exitCode = 1;
} finally {
  await memory.close();
}
