import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";

import { InvalidError } from "./errors.js";

/** What `config` may hold in place of the path of a file. */
export interface Switches {
  /** A TOML file or a profile, or several. */
  file?: string | string[];
  /** Stages to switch off. */
  off?: string[];
  /** Keys and their values, such as `{"stage.bm25.k": 16}`. */
  set?: Record<string, string | number | boolean>;
}

/** The options of a private server, in a form that two processes can compare. */
export interface Start {
  home: string;
  db: string;
  files: string[];
  off: string[];
  set: string[];
  upstream: string;
  model: string;
}

/** Checks the options and makes them independent of the working folder. */
export function startOf(o: {
  path?: string | undefined;
  config?: string | Switches | undefined;
  upstream?: string | undefined;
  model?: string | undefined;
}): Start {
  let s: Switches = {};
  if (typeof o.config === "string") {
    s = { file: o.config };
  } else if (o.config !== undefined) {
    if (o.config === null || typeof o.config !== "object" || Array.isArray(o.config)) {
      throw new InvalidError("config must be a path or an object");
    }
    for (const k of Object.keys(o.config)) {
      if (k !== "file" && k !== "off" && k !== "set") {
        throw new InvalidError(`config has no "${k}"`, { hint: "use file, off and set" });
      }
    }
    s = o.config;
  }
  return {
    home: home(),
    db: o.path === undefined ? "" : real(o.path),
    files: [s.file ?? []].flat().map((f) => (f.includes(".") || f.includes(sep) ? real(f) : f)),
    off: [s.off ?? []].flat(),
    set: Object.entries(s.set ?? {}).map(([k, v]) => `${k}=${v}`),
    upstream: o.upstream ?? "",
    model: o.model ?? "",
  };
}

// Variables that say how a server is found, not what it does.
const OURS = ["ORMA_BIN", "ORMA_HOME"];

/** Names what the server would be: processes with the same key share one. */
export function keyOf(s: Start, env: Record<string, string | undefined>): string {
  const parts = ["orma 1", `home=${s.home}`, `db=${s.db}`];
  parts.push(...s.files.map((f) => `config=${f}`), ...s.off.map((o) => `off=${o}`), ...s.set.map((v) => `set=${v}`));
  parts.push(`upstream=${s.upstream}`, `model=${s.model}`);
  for (const k of Object.keys(env).sort()) {
    if ((k === "TZ" || k.startsWith("ORMA_")) && !OURS.includes(k)) {
      parts.push(`${k}=${env[k]}`);
    }
  }
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}

/** Returns the global flags of `orma`. */
export function flagsOf(s: Start): string[] {
  return [
    ...(s.db === "" ? [] : ["--db", s.db]),
    ...s.files.flatMap((f) => ["--config", f]),
    ...s.off.flatMap((o) => ["--off", o]),
    ...s.set.flatMap((v) => ["--set", v]),
  ];
}

function home(): string {
  const named = process.env["ORMA_HOME"];
  return named ? canonical(resolve(named)) : join(canonical(homedir()), ".orma");
}

function real(path: string): string {
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    throw new InvalidError(`path must name a file, not ${JSON.stringify(path)}`);
  }
  return canonical(resolve(path.replace(/^~(?=$|[/\\])/, () => homedir())));
}

/** Follows links as far as the path is there. */
function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const up = dirname(path);
    return up === path ? path : join(canonical(up), basename(path));
  }
}
