// The wrapper of the OpenAI client, with the real client; only the model is played.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import OpenAI from "openai";
import { Memory } from "orma-memory";
import { withMemory } from "orma-memory/openai";
import { database, setUp } from "./support.js";

const at = setUp();

test("an OpenAI client recalls and observes", async () => {
  const asked: { role: string; content: string }[][] = [];
  const reply = { id: "r", created: 1, model: "m" };
  const model = createServer(async (req, res) => {
    let text = "";
    for await (const chunk of req) {
      text += chunk;
    }
    const body = JSON.parse(text);
    asked.push(body.messages);
    if (body.stream) {
      res.writeHead(200, { "content-type": "text/event-stream" });
      for (const content of ["In ", "Porto."]) {
        res.write(`data: ${JSON.stringify({ ...reply, object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })}\n\n`);
      }
      res.end("data: [DONE]\n\n");
      return;
    }
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "In Porto." } }];
    res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ...reply, object: "chat.completion", choices }));
  }).listen(0, "127.0.0.1");
  await once(model, "listening");
  try {
    await using memory = await Memory.open({ path: database(at.folder) });
    await memory.observe("user", "I live in Porto.");
    const failures: unknown[] = [];
    const plain = new OpenAI({ baseURL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`, apiKey: "none" });
    const client = withMemory(plain, memory, { onError: (e) => failures.push(e) });
    const messages = [{ role: "user" as const, content: "Where do I live?" }];
    const answer = await client.chat.completions.create({ model: "m", messages });
    assert.equal(answer.choices[0]?.message.content, "In Porto.");
    assert.match(asked[0]!.at(-1)!.content, /I live in Porto\./);
    let said = "";
    for await (const chunk of await client.chat.completions.create({ model: "m", messages, stream: true })) {
      said += chunk.choices[0]?.delta.content ?? "";
    }
    assert.equal(said, "In Porto.");
    const roles: string[] = [];
    for await (const e of memory.export()) {
      roles.push(e.role!);
    }
    assert.deepEqual(roles, ["user", "user", "assistant", "user", "assistant"]);
    assert.equal(client.baseURL, plain.baseURL);

    assert.deepEqual(failures, []);
    await memory.close(); // what fails in memory does not fail the request
    assert.ok((await client.chat.completions.create({ model: "m", messages })).choices.length > 0);
    assert.deepEqual(asked.at(-1), messages);
    assert.equal(failures.length, 3);
  } finally {
    model.close();
    model.closeAllConnections();
  }
});
