// What a pointer and a keyboard do to the picture, besides turning it by dragging.

import { type PerspectiveCamera, Vector3 } from "three";
import type { OrbitControls } from "three/addons/controls/OrbitControls.js";

export interface Held {
  readonly canvas: HTMLCanvasElement;
  /** at is the node under a point of the canvas. */
  at(x: number, y: number): number | null;
  pick(index: number | null): void;
  hover(index: number | null): void;
  /** touch says that somebody is there. */
  touch(): void;
  overview(): void;
  /** turned says that the camera was moved by hand. */
  turned(): void;
}

const stillAClick = 5; // pixels that a pointer may move between down and up
const awake = 1000; // ms that a touch by moving the pointer is good for
const turn = 0.12; // radians a key
const nearer = 0.85; // of the distance, a key

/** point listens to the pointer. */
export function point(held: Held): void {
  let down: { x: number; y: number } | null = null;
  let touched = -Infinity;
  const at = (e: PointerEvent) => {
    const r = held.canvas.getBoundingClientRect();
    return held.at(e.clientX - r.left, e.clientY - r.top);
  };
  const on = (name: "pointerdown" | "pointerup" | "pointermove" | "pointerleave", act: (e: PointerEvent) => void) => held.canvas.addEventListener(name, act);
  on("pointerdown", (e) => {
    down = { x: e.clientX, y: e.clientY };
    held.touch();
  });
  on("pointerup", (e) => {
    if (down && Math.hypot(e.clientX - down.x, e.clientY - down.y) < stillAClick) held.pick(at(e));
    down = null;
  });
  on("pointermove", (e) => {
    if (e.buttons) return;
    if (e.timeStamp - touched > awake) {
      touched = e.timeStamp;
      held.touch();
    }
    held.hover(at(e));
  });
  on("pointerleave", () => held.hover(null));
}

/** keys turns the camera with the arrows, and moves it nearer and farther. */
export function keys(held: Held, camera: PerspectiveCamera, controls: OrbitControls): void {
  held.canvas.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const back = camera.position.clone().sub(controls.target);
    const side = new Vector3().crossVectors(camera.up, back).normalize();
    if (e.key === "ArrowLeft") back.applyAxisAngle(camera.up, -turn);
    else if (e.key === "ArrowRight") back.applyAxisAngle(camera.up, turn);
    else if (e.key === "ArrowUp") back.applyAxisAngle(side, -turn);
    else if (e.key === "ArrowDown") back.applyAxisAngle(side, turn);
    else if (e.key === "+" || e.key === "=") back.multiplyScalar(nearer);
    else if (e.key === "-") back.divideScalar(nearer);
    else if (e.key === "0") return held.overview();
    else return;
    e.preventDefault();
    camera.position.copy(controls.target).add(back);
    controls.update();
    held.turned();
  });
}
