"""A model's server for the end-to-end tests: it speaks the four chat APIs, streams in
odd pieces, calls a tool when it is given one, and remembers every request it saw."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REPLY = "Understood, I have noted that. 🚲"


def text_of(content):
    """The text of a message's content, whatever its form."""
    if isinstance(content, str):
        return content
    return "\n".join(p.get("text", "") for p in content or [] if isinstance(p, dict))


def pieces(text):
    for i in range(0, len(text), 3):
        yield text[i:i + 3]


class Upstream(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.seen = []  # (path, request)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def requests_since(self, n):
        with self.lock:
            return self.seen[n:]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/v1/models":
            return self.send({"object": "list", "data": [{"id": "m", "object": "model"}]})
        self.send({"error": "not found"}, 404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = json.loads(body)
        with self.server.lock:
            self.server.seen.append((self.path, request))
        answer = {
            "/v1/chat/completions": self.answer_completions,
            "/v1/responses": self.answer_responses,
            "/v1/messages": self.answer_messages,
            "/api/chat": self.answer_ollama,
        }.get(self.path)
        if not answer:
            return self.send({"error": "not found"}, 404)
        answer(request)

    # What is answered: a call of the tool, when there is one and the user spoke last.

    def wants_tool(self, request, last_is_user):
        return bool(request.get("tools")) and last_is_user

    def answer_completions(self, r):
        tool = self.wants_tool(r, r["messages"][-1]["role"] == "user")
        call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"where": "shed"}'}}
        base = {"id": "chatcmpl-1", "created": 1, "model": r["model"], "system_fingerprint": "fp"}
        usage = {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}
        if not r.get("stream"):
            message = {"role": "assistant", "content": None, "tool_calls": [call]} if tool else {"role": "assistant", "content": REPLY, "refusal": None}
            return self.send({**base, "object": "chat.completion", "usage": usage, "choices": [
                {"index": 0, "message": message, "logprobs": None, "finish_reason": "tool_calls" if tool else "stop"}]})
        deltas = [{"role": "assistant", "content": None if tool else ""}]
        if tool:
            deltas.append({"tool_calls": [{"index": 0, **call, "function": {"name": "look", "arguments": ""}}]})
            deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": p}}]} for p in pieces(call["function"]["arguments"])]
        else:
            deltas += [{"content": p} for p in pieces(REPLY)]

        def events():
            for d in deltas:
                yield {**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": d, "logprobs": None, "finish_reason": None}]}
            yield {**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "logprobs": None, "finish_reason": "tool_calls" if tool else "stop"}]}
            if (r.get("stream_options") or {}).get("include_usage"):
                yield {**base, "object": "chat.completion.chunk", "choices": [], "usage": usage}
            yield "[DONE]"
        self.stream(events())

    def answer_responses(self, r):
        items = r["input"] if isinstance(r["input"], list) else [{"role": "user"}]
        tool = self.wants_tool(r, items[-1].get("role") == "user")
        if tool:
            item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look", "arguments": '{"where": "shed"}', "status": "completed"}
        else:
            item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": REPLY, "annotations": [], "logprobs": []}]}
        whole = {"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": r["model"], "output": [item],
                 "error": None, "incomplete_details": None, "instructions": None, "metadata": {}, "parallel_tool_calls": True,
                 "temperature": 1, "tool_choice": "auto", "tools": [], "top_p": 1,
                 "usage": {"input_tokens": 3, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
                           "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 8}}
        if not r.get("stream"):
            return self.send(whole)

        def events():
            n = 0

            def event(kind, **rest):
                nonlocal n
                n += 1
                return {"type": kind, "sequence_number": n - 1, **rest}
            yield event("response.created", response={**whole, "status": "in_progress", "output": []})
            if tool:
                yield event("response.output_item.added", output_index=0, item={**item, "arguments": "", "status": "in_progress"})
                for p in pieces(item["arguments"]):
                    yield event("response.function_call_arguments.delta", item_id="fc_1", output_index=0, delta=p)
                yield event("response.function_call_arguments.done", item_id="fc_1", output_index=0, name="look", arguments=item["arguments"])
            else:
                yield event("response.output_item.added", output_index=0, item={**item, "content": [], "status": "in_progress"})
                yield event("response.content_part.added", item_id="msg_1", output_index=0, content_index=0, part={"type": "output_text", "text": "", "annotations": []})
                for p in pieces(REPLY):
                    yield event("response.output_text.delta", item_id="msg_1", output_index=0, content_index=0, delta=p, logprobs=[])
                yield event("response.output_text.done", item_id="msg_1", output_index=0, content_index=0, text=REPLY, logprobs=[])
                yield event("response.content_part.done", item_id="msg_1", output_index=0, content_index=0, part=item["content"][0])
            yield event("response.output_item.done", output_index=0, item=item)
            yield event("response.completed", response=whole)
        self.stream(events(), named=True)

    def answer_messages(self, r):
        last = r["messages"][-1]
        results = isinstance(last["content"], list) and any(p.get("type") == "tool_result" for p in last["content"])
        tool = self.wants_tool(r, last["role"] == "user" and not results)
        block = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"where": "shed"}} if tool else {"type": "text", "text": REPLY}
        whole = {"id": "msg_1", "type": "message", "role": "assistant", "model": r["model"], "content": [block],
                 "stop_reason": "tool_use" if tool else "end_turn", "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 5}}
        if not r.get("stream"):
            return self.send(whole)

        def events():
            yield {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
            if tool:
                yield {"type": "content_block_start", "index": 0, "content_block": {**block, "input": {}}}
                for p in pieces(json.dumps(block["input"])):
                    yield {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": p}}
            else:
                yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
                yield {"type": "ping"}
                for p in pieces(REPLY):
                    yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": p}}
            yield {"type": "content_block_stop", "index": 0}
            yield {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None}, "usage": {"output_tokens": 5}}
            yield {"type": "message_stop"}
        self.stream(events(), named=True)

    def answer_ollama(self, r):
        tool = self.wants_tool(r, r["messages"][-1]["role"] == "user")
        base = {"model": r["model"], "created_at": "2026-01-01T00:00:00Z"}
        end = {"done": True, "done_reason": "stop", "total_duration": 1, "eval_count": 5}
        call = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "look", "arguments": {"where": "shed"}}}]}
        if r.get("stream") is False:
            return self.send({**base, "message": call if tool else {"role": "assistant", "content": REPLY}, **end})
        lines = [{**base, "message": call, "done": False}] if tool else [
            {**base, "message": {"role": "assistant", "content": p}, "done": False} for p in pieces(REPLY)]
        lines.append({**base, "message": {"role": "assistant", "content": ""}, **end})
        self.chunked("application/x-ndjson", (json.dumps(x).encode() + b"\n" for x in lines))

    # How it is sent.

    def send(self, answer, status=200):
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, events, named=False):
        def frames():
            for e in events:
                head = f"event: {e['type']}\n" if named else ""
                data = e if isinstance(e, str) else json.dumps(e, ensure_ascii=False)
                yield f"{head}data: {data}\n\n".encode()
        self.chunked("text/event-stream", frames())

    def chunked(self, media, frames):
        self.send_response(200)
        self.send_header("Content-Type", media)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for f in frames:
            for part in (f[:5], f[5:]):  # a frame never comes in one piece
                if part:
                    self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                    self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")
