// One process of the benchmark in main.go: usage: client.mjs MODULE PATH, with queries on
// stdin. It measures the first search from the import on, the others, and 1,000 turns observed.
import { readFileSync } from "node:fs";

const [module, path] = process.argv.slice(2);
const job = JSON.parse(readFileSync(0, "utf8"));
const cpu = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;

let used = cpu();
let begun = performance.now();
const { Memory } = await import(module);
const memory = await Memory.open({ path });
await memory.search(job.queries[0]);
const first = performance.now() - begun;
const first_cpu = cpu() - used;

for (const query of job.queries.slice(0, job.warm)) {
  await memory.search(query);
}
used = cpu();
const later = [];
for (const query of job.queries) {
  const at = performance.now();
  await memory.search(query);
  later.push(performance.now() - at);
}
const later_cpu = (cpu() - used) / Math.max(1, later.length);

used = cpu();
begun = performance.now();
for (let i = 0; i < job.observe; i++) {
  await memory.observe("user", `Turn ${i} of a talk about the tide at the north pier.`);
}
const observe = performance.now() - begun;
const observe_cpu = cpu() - used;
await memory.close();
console.log(JSON.stringify({ first, first_cpu, later, later_cpu, observe, observe_cpu }));
