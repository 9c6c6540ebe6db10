// Dark, light, or as the system is; and whether things may move.

import { byId, refill } from "./dom.ts";
import { remember, remembered } from "./keep.ts";

const themes = ["system", "dark", "light"] as const;

export class Theme {
  private chosen: (typeof themes)[number] = "system";
  private system = window.matchMedia("(prefers-color-scheme: light)");
  private motion = window.matchMedia("(prefers-reduced-motion: reduce)");

  constructor(private onChange: () => void) {
    const kept = remembered("local", "orma-theme");
    this.chosen = themes.find((t) => t === kept) ?? "system";
    this.system.addEventListener("change", () => this.apply());
    this.motion.addEventListener("change", () => this.apply());
    this.apply();
  }

  dark(): boolean {
    return this.chosen === "dark" || (this.chosen === "system" && !this.system.matches);
  }

  /** still means that nothing is to move by itself. */
  still(): boolean {
    return this.motion.matches;
  }

  next(): void {
    this.chosen = themes[(themes.indexOf(this.chosen) + 1) % themes.length]!;
    remember("local", "orma-theme", this.chosen);
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.dark() ? "dark" : "light";
    refill(byId("theme"), `Theme: ${this.chosen}`);
    this.onChange();
  }
}
