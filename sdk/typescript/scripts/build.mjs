// Builds the package twice: as ESM in dist/esm, and as CommonJS in dist/cjs. The sources
// are the same but for package.ts, which each kind of module must write its own way.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const run = (config) => execFileSync(process.execPath, [tsc, "-p", config], { cwd: root, stdio: "inherit" });

rmSync(`${root}dist`, { recursive: true, force: true });
rmSync(`${root}build-cjs`, { recursive: true, force: true });
run("tsconfig.json");

cpSync(`${root}src`, `${root}build-cjs`, { recursive: true });
writeFileSync(
  `${root}build-cjs/package.ts`,
  `import { join } from "node:path";\n
/** Returns the folder of this package. */
export function packageFolder(): string {
  return join(__dirname, "..", "..");
}
`,
);
try {
  run("tsconfig.cjs.json");
} finally {
  rmSync(`${root}build-cjs`, { recursive: true, force: true });
}
mkdirSync(`${root}dist/cjs`, { recursive: true });
writeFileSync(`${root}dist/cjs/package.json`, '{ "type": "commonjs" }\n'); // the package itself is ESM
