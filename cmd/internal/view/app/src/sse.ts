// Server-sent events out of a body that is read bit by bit. The browser's EventSource
// cannot send a token in a header, and a token has no place in a URL.

export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** EventParser takes pieces of text as they arrive, cut anywhere, and returns the events
 * that are complete. */
export class EventParser {
  private rest = "";
  private data: string[] = [];
  private event = "";
  private id = "";

  push(piece: string): ServerEvent[] {
    const out: ServerEvent[] = [];
    let text = this.rest + piece;
    // A carriage return at the end may be half of a line end.
    let held = "";
    if (text.endsWith("\r")) {
      held = "\r";
      text = text.slice(0, -1);
    }
    const lines = text.split(/\r\n|\n|\r/);
    this.rest = (lines.pop() ?? "") + held;
    for (const line of lines) {
      const done = this.line(line);
      if (done) out.push(done);
    }
    return out;
  }

  private line(line: string): ServerEvent | null {
    if (line === "") {
      const done = this.data.length ? { id: this.id, event: this.event || "message", data: this.data.join("\n") } : null;
      this.data = [];
      this.event = "";
      return done;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return null; // a comment, which only says that the stream is alive
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (field === "data") this.data.push(value);
    else if (field === "event") this.event = value;
    else if (field === "id" && !value.includes("\0")) this.id = value;
    return null;
  }
}
