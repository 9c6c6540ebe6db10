// The official OpenAI client for JavaScript.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const require = createRequire(path.join(process.env.E2E_NODE_MODULES, "x.js"));
const { default: OpenAI } = await import(pathToFileURL(require.resolve("openai")));

const env = process.env;
const session = Number(process.argv[2]);
const client = new OpenAI({
  baseURL: env.E2E_BASE + "/v1",
  apiKey: "none",
  defaultHeaders: { "x-orma-space": env.E2E_SPACE },
});
const tools = [{
  type: "function",
  function: { name: "look", parameters: { type: "object", properties: { where: { type: "string" } }, required: ["where"] } },
}];

async function ask(messages, more = {}) {
  if (!env.E2E_STREAM) {
    const r = await client.chat.completions.create({ model: "m", messages, ...more });
    return r.choices[0].message;
  }
  const runner = client.chat.completions.stream({ model: "m", messages, ...more });
  return await runner.finalMessage();
}

function expect(got, want) {
  if (JSON.stringify(got) !== JSON.stringify(want)) {
    console.error("got", got, "want", want);
    process.exit(1);
  }
}

const user = (content) => ({ role: "user", content });
if (session === 1) {
  expect((await ask([user(env.E2E_FACT)])).content, env.E2E_REPLY);
} else if (session === 2) {
  const messages = [user("Please look into the shed.")];
  const answer = await ask(messages, { tools });
  const call = answer.tool_calls[0];
  expect(JSON.parse(call.function.arguments), { where: "shed" });
  messages.push(answer, { role: "tool", tool_call_id: call.id, content: "There is a ladder in the shed." });
  expect((await ask(messages, { tools })).content, env.E2E_REPLY);
} else {
  expect((await ask([user("Which number is my locker?")])).content, env.E2E_REPLY);
}
