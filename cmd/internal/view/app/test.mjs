// Runs the unit tests: each *.test.ts is bundled, so that the same imports work as in the
// view, and handed to node's runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), "orma-view-"));
try {
  const tests = readdirSync(join(here, "src")).filter((f) => f.endsWith(".test.ts"));
  await build({
    absWorkingDir: here, entryPoints: tests.map((t) => `src/${t}`), outdir: out, outExtension: { ".js": ".mjs" }, bundle: true, format: "esm", platform: "node", sourcemap: "inline", logLevel: "warning",
  });
  const run = spawnSync(process.execPath, ["--test", "--enable-source-maps", ...tests.map((t) => join(out, t.replace(".ts", ".mjs")))], { stdio: "inherit" });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
