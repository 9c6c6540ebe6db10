import { fileURLToPath } from "node:url";

/** Returns the folder of this package. The build puts another file in place of this for CommonJS. */
export function packageFolder(): string {
  return fileURLToPath(new URL("../..", import.meta.url));
}
