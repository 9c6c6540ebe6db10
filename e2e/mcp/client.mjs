// Lists and calls everything with the official TypeScript SDK.
//
// usage: client.mjs FOLDER 1|2 URL | client.mjs FOLDER 1|2 COMMAND ARG…
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, version, ...target] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const http = target[0].startsWith("http");
const space = `typescript-${process.pid}`;

async function connect() {
  const old = version === "1";
  const { Client } = await load(old ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
  const { StreamableHTTPClientTransport } = await load(old ? "@modelcontextprotocol/sdk/client/streamableHttp.js" : "@modelcontextprotocol/client");
  const { StdioClientTransport } = await load(old ? "@modelcontextprotocol/sdk/client/stdio.js" : "@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "e2e", version: "1" }, old ? {} : { versionNegotiation: { mode: "auto" } });
  const transport = http
    ? new StreamableHTTPClientTransport(new URL(target[0]))
    : new StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env });
  await client.connect(transport);
  return client;
}

const client = await connect();
if (version === "2") assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
const instructions = client.getInstructions();
assert.match(instructions, /orma_recall/);

async function call(name, args = {}) {
  const result = await client.callTool({ name, arguments: { space, ...args } });
  const text = result.content.map((part) => part.text).join("");
  assert.ok(!result.isError, `${name}: ${text}`);
  assert.equal(typeof result.structuredContent, "object", name);
  return [result.structuredContent, text];
}

const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), [
  "orma_correct", "orma_facts", "orma_forbid", "orma_forget", "orma_recall",
  "orma_remember", "orma_search", "orma_sleep", "orma_stats",
]);

const [kept] = await call("orma_remember", { text: "Salma works at the observatory in Bergen." });
const [rule] = await call("orma_forbid", { rule: "Never point the telescope at the sun" });
let [block, text] = await call("orma_recall", { query: "Where does Salma work?" });
assert.match(text, /\[FORBIDDEN: Never point/);
assert.match(block.block, /observatory/);
const [found] = await call("orma_search", { query: "observatory" });
assert.ok(found.items.length > 0);
const [slept] = await call("orma_sleep");
assert.ok(slept.records >= 1);
const [facts] = await call("orma_facts", { include_history: true });
assert.deepEqual((await call("orma_facts", { as_of: "1999-12-31" }))[0].facts, []);
const state = facts.facts.find((fact) => !fact.rule);
const [fixed] = await call("orma_correct", { state_id: state.id, text: "the museum in Oslo" });
await call("orma_forget", { state_id: fixed.id });
await call("orma_forget", { state_id: rule.rule_id });
[, text] = await call("orma_recall", { query: "telescope" });
assert.doesNotMatch(text, /FORBIDDEN/);
const [stats] = await call("orma_stats");
assert.equal(stats.spaces[0].space, space);
const [whole] = await call("orma_recall", { handle: kept.handle });
assert.match(whole.block, /^Salma works/);
const wrong = await client.callTool({ name: "orma_forget", arguments: { state_id: 10 ** 9, space } });
assert.ok(wrong.isError && /not_found/.test(wrong.content[0].text));

const { resources } = await client.listResources();
assert.ok(resources.some((resource) => resource.uri.endsWith(`${space}/rules`)));
for (const resource of resources) {
  const { contents } = await client.readResource({ uri: resource.uri });
  JSON.parse(contents[0].text);
}
const { resourceTemplates } = await client.listResourceTemplates();
assert.ok(resourceTemplates.some((template) => template.uriTemplate.includes("episodes/{id}")));
const { contents } = await client.readResource({ uri: kept.handle });
assert.equal(contents[0].text, "Salma works at the observatory in Bergen.");

const { prompts } = await client.listPrompts();
for (const prompt of prompts) {
  const got = await client.getPrompt({ name: prompt.name, arguments: { space } });
  assert.ok(got.messages[0].content.text);
}
const done = await client.complete({ ref: { type: "ref/prompt", name: "briefing" }, argument: { name: "space", value: space.slice(0, 8) } });
assert.ok(done.completion.values.includes(space));
await client.close();
console.log("all called");
