// Bundles the view into ../dist, which the binary embeds: index.html and, under assets,
// files named by what is in them.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "../dist");
rmSync(join(dist, "assets"), { recursive: true, force: true });
mkdirSync(join(dist, "assets"), { recursive: true });

const out = await build({
  absWorkingDir: here, entryPoints: ["src/main.ts", "src/style.css"], outdir: join(dist, "assets"), bundle: true, minify: true, format: "esm",
  target: ["es2022", "chrome111", "firefox115", "safari16.4"], entryNames: "[name]-[hash]", legalComments: "none", metafile: true, logLevel: "warning",
});
let page = readFileSync(join(here, "src/index.html"), "utf8");
for (const [file, made] of Object.entries(out.metafile.outputs)) {
  if (made.entryPoint) page = page.replace(`"${made.entryPoint.replace("src/", "./")}"`, `"./assets/${file.split("/").pop()}"`);
}
const icon = readFileSync(join(here, "src/icon.svg"));
const iconName = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
writeFileSync(join(dist, "assets", iconName), icon);
page = page.replace('"./icon.svg"', `"./assets/${iconName}"`);
writeFileSync(join(dist, "index.html"), page);
writeFileSync(join(dist, ".gitkeep"), "");
// What is shipped carries its licence.
cpSync(join(here, "node_modules/three/LICENSE"), join(dist, "assets/three-LICENSE.txt"));
