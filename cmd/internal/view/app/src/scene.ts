// The picture in three dimensions. All nodes are one draw call, all links another, halos,
// pulses and sparks three more. A frame is drawn when something has changed or pulses run;
// an idle view draws nothing.

import { type BufferAttribute, Color, type LineSegments, PerspectiveCamera, type Points, type ShaderMaterial, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { backToFront, bounds, firstBy } from "./geometry.ts";
import { type Held, keys, point } from "./hands.ts";
import { kinds, looks } from "./kinds.ts";
import { drawLabels, type Label } from "./labels.ts";
import { Layers, sizeOf, type SceneLink, type SceneNode } from "./layers.ts";
import { Pace } from "./pace.ts";

/** Spark is a link that activation runs along in one hop of a replay. */
export interface Spark {
  from: number;
  to: number;
  force: number; // 0 to 1
}

export interface SceneEvents {
  pick(index: number | null): void;
  /** lost says that the browser took the drawing away, as after a driver's crash. */
  lost(): void;
  restored(): void;
}

const restAfter = 20_000; // pulses rest when nobody has touched the view for so long, in ms
const hopTime = 900; // ms
const settled = 160; // ms without a move until a slow picture is drawn whole again
const slowRatio = 0.7; // of the pixels in each direction, while a slow picture moves
const slowLinks = 1500; // that are drawn while a slow picture moves; those of the chosen node always are
const slowPulse = 400; // ms between the frames of pulses in a slow picture

export class Scene {
  readonly canvas: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
  private renderer: WebGLRenderer;
  private camera = new PerspectiveCamera(50, 1, 0.1, 20000);
  private controls: OrbitControls;
  private ctx: CanvasRenderingContext2D;
  private nodes: SceneNode[] = [];
  private links: SceneLink[] = [];
  private near: Uint32Array[] = []; // links of a node
  private size = new Float32Array(0);
  private xyz = new Float32Array(0);
  private depth = new Float32Array(0);
  private mark = new Float32Array(0);
  private order = new Uint32Array(0);
  private centre = new Vector3();
  private radius = 100;
  private unit = 1; // one step of size, so that nodes are as big as the room between them allows
  private points: Points | null = null;
  private halos: Points | null = null;
  private lines: LineSegments | null = null;
  private pulses: Points | null = null;
  private sparks: Points | null = null;
  private byDegree: number[] = [];
  private chosen: number | null = null;
  private hovered: number | null = null;
  private lit = new Set<number>();
  private flight: { at: number; time: number; from: [Vector3, Vector3]; to: [Vector3, Vector3] } | null = null;
  private replaying: { hops: Spark[][]; hop: number; at: number; onHop: (hop: number) => void } | null = null;
  private scheduled = 0;
  private lastTouch = 0;
  private cost = 16;
  private moved = true;
  private pace = new Pace();
  private ratio = 1; // pixels of the screen a pixel of the page
  private light = false; // less is drawn, since it moves and is slow
  private settle = 0;
  private marked = 0; // links that are drawn first
  private still: boolean;
  private pulsing = true;
  private first = true;
  private complete = false;
  private timed = false;
  private fitted = 1e-9; // radius that the camera shows whole; 0 when it was moved from there
  private dark = true;
  private ink = "#fff";
  private paper = "#000";
  private faint = "#ccc";
  private layers = new Layers();

  /** The constructor throws where there is no WebGL. */
  constructor(private host: HTMLElement, private on: SceneEvents, still: boolean) {
    this.still = still;
    this.canvas = document.createElement("canvas");
    this.overlay = document.createElement("canvas");
    this.overlay.className = "labels";
    this.overlay.setAttribute("aria-hidden", "true");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", "Graph of the memory. Arrow keys turn it, plus and minus zoom, 0 shows all. The list shows the same as text.");
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: false, alpha: false, depth: false, stencil: false, powerPreference: "high-performance" });
    this.ctx = this.overlay.getContext("2d")!;
    host.append(this.canvas, this.overlay);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = !still;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", () => {
      this.moved = true;
      this.draw();
    });
    this.controls.addEventListener("start", () => {
      this.flight = null;
      this.fitted = 0;
    });
    this.listen();
    new ResizeObserver(() => this.resize()).observe(host);
    this.camera.position.set(0, 0, 300);
    this.resize();
  }

  // -- what is shown

  /** show replaces the graph. The camera stays unless `fit` is set, or it showed all and
   * all has grown. */
  show(nodes: SceneNode[], links: SceneLink[], fit: boolean): void {
    this.clear();
    if (Math.abs(nodes.length - this.nodes.length) > this.nodes.length / 2) this.pace.again();
    this.renumber(nodes);
    this.nodes = nodes;
    this.links = links;
    const n = nodes.length;
    this.xyz = new Float32Array(n * 3);
    this.size = new Float32Array(n);
    this.depth = new Float32Array(n);
    this.mark = new Float32Array(n).fill(1);
    this.order = Uint32Array.from({ length: n }, (_, i) => i);
    const kind = new Float32Array(n);
    const hollow = new Float32Array(n);
    nodes.forEach((v, i) => {
      this.xyz.set([v.x, v.y, v.z], i * 3);
      this.size[i] = sizeOf(v);
      kind[i] = kinds.indexOf(v.kind);
      hollow[i] = v.ended ? 1 : 0;
    });
    this.byDegree = Array.from(this.order).sort((a, b) => nodes[b]!.degree - nodes[a]!.degree || a - b);
    this.bound();
    this.link();
    this.layers.of(nodes, links, this.xyz);
    this.lines = this.layers.lines();
    this.halos = this.layers.halos(this.byDegree, kind, this.size);
    this.shine(false);
    this.points = this.layers.nodes(kind, this.size, this.mark, hollow, this.order);
    this.pulses = this.layers.livePulses();
    const running = this.replaying?.hops[this.replaying.hop];
    if (running?.length) this.spark(running);
    this.remark();
    // Whoever looks at the whole goes on seeing the whole when it grows.
    const outgrown = this.radius > this.fitted * 1.2 || this.radius < this.fitted * 0.4;
    if (n && (fit || (this.fitted > 0 && outgrown))) this.overview(!this.first);
    this.moved = true;
    this.draw();
  }

  // What is marked and replayed goes on in the new graph, as far as it is there.
  private renumber(nodes: SceneNode[]): void {
    const index = new Map(nodes.map((n, i) => [n.id, i]));
    const now = (i: number | null) => (i === null ? null : index.get(this.nodes[i]?.id ?? "") ?? null);
    const known = (i: number | null): i is number => i !== null;
    this.chosen = now(this.chosen);
    this.hovered = now(this.hovered);
    this.lit = new Set([...this.lit].map(now).filter(known));
    const r = this.replaying;
    if (r) r.hops = r.hops.map((hop) => hop.map((s) => ({ from: now(s.from), to: now(s.to), force: s.force })).filter((s): s is Spark => known(s.from) && known(s.to)));
  }

  /** choose marks a node and those that it is linked to, and lets the others fade. */
  choose(index: number | null): void {
    if (index === this.chosen && index !== null) return;
    this.stopReplay();
    this.chosen = index;
    this.remark();
  }

  private hover(index: number | null): void {
    if (this.hovered === index) return;
    this.hovered = index;
    this.canvas.style.cursor = index === null ? "" : "pointer";
    this.draw();
  }

  /** flyTo brings a node to the middle. */
  flyTo(index: number): void {
    this.fitted = 0;
    const at = new Vector3().fromArray(this.xyz, index * 3);
    const back = this.camera.position.clone().sub(this.controls.target);
    // Near enough that its neighbours fill the view.
    const reach = Array.from(this.near[index] ?? [], (i) => {
      const l = this.links[i]!;
      return at.distanceTo(new Vector3().fromArray(this.xyz, (l.from === index ? l.to : l.from) * 3));
    }).sort((a, b) => a - b);
    const near = (reach[Math.floor(reach.length * 0.75)] ?? 0) * 2.6;
    const far = Math.min(this.radius * 1.4, Math.max(near, this.unit * 60));
    this.fly(at.clone().add(back.setLength(far)), at);
  }

  /** overview shows all. */
  overview(slowly = true): void {
    this.fitted = this.radius;
    const far = (this.radius * 0.94) / Math.sin((Math.min(this.camera.fov, this.camera.fov * this.camera.aspect) * Math.PI) / 360);
    const back = slowly ? this.camera.position.clone().sub(this.controls.target) : new Vector3(0.25, 0.18, 1);
    this.fly(this.centre.clone().add(back.setLength(far)), this.centre.clone(), slowly ? 900 : 0);
  }

  /** replay runs activation along links, hop by hop, and lights what it reaches. */
  replay(start: number[], hops: Spark[][], onHop: (hop: number) => void): void {
    this.stopReplay();
    this.lit = new Set(start);
    this.touch();
    if (this.still) {
      for (const hop of hops) for (const s of hop) this.lit.add(s.to);
      this.remark();
      onHop(hops.length);
      return;
    }
    this.replaying = { hops, hop: -1, at: 0, onHop };
    this.remark();
  }

  stopReplay(): void {
    this.replaying = null;
    if (this.sparks) this.layers.drop(this.sparks);
    this.sparks = null;
    if (this.lit.size) {
      this.lit.clear();
      this.remark();
    }
  }

  /** whole says that nothing is being waited for any more. */
  whole(): void {
    this.complete = true;
    this.draw();
  }

  setStill(still: boolean): void {
    this.still = still;
    this.controls.enableDamping = !still;
    this.draw();
  }

  setPulsing(on: boolean): void {
    this.pulsing = on;
    this.touch();
  }

  /** recolour takes the colours of the page's theme. */
  recolour(dark: boolean, css: CSSStyleDeclaration): void {
    const colour = (name: string) => css.getPropertyValue(name).trim();
    this.ink = colour("--ink");
    this.paper = colour("--paper");
    this.faint = colour("--ink-2");
    kinds.forEach((k, i) => this.layers.shared.palette.value[i]!.set(dark ? looks[k].dark : looks[k].light).convertLinearToSRGB());
    this.layers.shared.paper.value.set(this.paper).convertLinearToSRGB();
    this.layers.shared.ink.value.set(this.ink).convertLinearToSRGB();
    this.layers.shared.line.value.set(colour("--line")).convertLinearToSRGB();
    this.renderer.setClearColor(new Color(this.paper), 1);
    this.dark = dark;
    this.shine(this.chosen !== null || this.lit.size > 0);
    this.draw();
  }

  private shine(dimmed: boolean): void {
    if (this.halos) (this.halos.material as ShaderMaterial).uniforms["strength"]!.value = (this.dark ? 0.32 : 0.2) * (dimmed ? 0.25 : 1);
  }

  /** picture returns the view as it stands, with its labels. */
  async picture(): Promise<Blob> {
    this.light = false;
    this.render(performance.now());
    const out = document.createElement("canvas");
    out.width = this.canvas.width;
    out.height = this.canvas.height;
    const c = out.getContext("2d")!;
    c.drawImage(this.canvas, 0, 0);
    c.drawImage(this.overlay, 0, 0, out.width, out.height);
    return new Promise((done, fail) => out.toBlob((b) => (b ? done(b) : fail(new Error("the browser made no picture"))), "image/png"));
  }

  // -- geometry

  private clear(): void {
    for (const o of [this.points, this.halos, this.lines, this.pulses, this.sparks]) if (o) this.layers.drop(o);
    this.points = this.halos = this.lines = this.pulses = this.sparks = null;
  }

  private bound(): void {
    const n = this.nodes.length;
    const { x, y, z, radius } = bounds(this.xyz);
    this.centre.set(x, y, z);
    this.radius = radius;
    this.unit = radius / (14 * Math.cbrt(Math.max(20, n)));
    this.camera.far = radius * 40;
    this.camera.near = radius / 500;
    this.camera.updateProjectionMatrix();
    this.controls.maxDistance = radius * 12;
    this.controls.minDistance = radius / 40;
  }

  private link(): void {
    const lists: number[][] = this.nodes.map(() => []);
    this.links.forEach((l, i) => {
      lists[l.from]!.push(i);
      if (l.to !== l.from) lists[l.to]!.push(i);
    });
    this.near = lists.map((l) => Uint32Array.from(l));
  }

  private spark(hop: Spark[]): void {
    this.sparks = this.layers.pulses(hop.map((s) => ({ ...s, speed: 1, phase: 0 })), 5);
  }

  private remark(): void {
    const focus = this.chosen !== null || this.lit.size > 0;
    this.mark.fill(focus ? 0 : 1);
    const lines = this.lines?.geometry.getAttribute("mark") as BufferAttribute | undefined;
    const lm = lines?.array as Float32Array | undefined;
    lm?.fill(focus ? 0 : 1);
    for (const i of this.lit) this.mark[i] = 2;
    if (this.lit.size) this.links.forEach((l, i) => this.lit.has(l.from) && this.lit.has(l.to) && lm?.fill(2, i * 2, i * 2 + 2));
    if (this.chosen !== null) {
      for (const i of this.lit.size ? [] : this.near[this.chosen] ?? []) {
        const l = this.links[i]!;
        this.mark[l.from] = this.mark[l.to] = 2;
        lm?.fill(2, i * 2, i * 2 + 2);
      }
      this.mark[this.chosen] = 3;
    }
    if (lines) lines.needsUpdate = true;
    this.orderLines(lm);
    this.shine(focus);
    const m = this.points?.geometry.getAttribute("mark") as BufferAttribute | undefined;
    if (m) m.needsUpdate = true;
    this.moved = true; // marked nodes are drawn last
    this.draw();
  }

  // Links that are marked come first, so that they stay when only the first are drawn.
  private orderLines(mark: Float32Array | undefined): void {
    const index = this.lines?.geometry.getIndex();
    if (!mark || !index) return;
    this.marked = firstBy(this.links.length, (i) => mark[i * 2]! > 1.5, index.array as Uint32Array);
    index.needsUpdate = true;
  }

  // -- camera and pointer

  private fly(position: Vector3, target: Vector3, time = 900): void {
    this.touch();
    if (this.still || time === 0) {
      this.flight = null;
      this.camera.position.copy(position);
      this.controls.target.copy(target);
      this.controls.update();
      this.moved = true;
      this.draw();
      return;
    }
    this.flight = { at: performance.now(), time, from: [this.camera.position.clone(), this.controls.target.clone()], to: [position, target] };
    this.draw();
  }

  private listen(): void {
    const held: Held = {
      canvas: this.canvas, at: (x, y) => this.pick(x, y), pick: (i) => this.on.pick(i), hover: (i) => this.hover(i), touch: () => this.touch(), overview: () => this.overview(),
      turned: () => {
        this.flight = null;
        this.fitted = 0;
        this.moved = true;
        this.touch();
      },
    };
    point(held);
    keys(held, this.camera, this.controls);
    this.canvas.addEventListener("webglcontextlost", () => this.on.lost());
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.on.restored();
      this.draw();
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.draw());
  }

  // The node under a point: all are projected, which takes less than a frame has.
  private pick(x: number, y: number): number | null {
    const w = this.host.clientWidth;
    const h = this.host.clientHeight;
    const m = this.camera.projectionMatrix.clone().multiply(this.camera.matrixWorldInverse);
    const v = new Vector3();
    let best: number | null = null;
    let front = Infinity;
    for (let i = 0; i < this.nodes.length; i++) {
      v.fromArray(this.xyz, i * 3).applyMatrix4(m);
      if (v.z < -1 || v.z > 1) continue;
      const px = ((v.x + 1) / 2) * w - x;
      const py = ((1 - v.y) / 2) * h - y;
      const reach = Math.max(6, this.pixels(i) / 2 + 2);
      // A marked node is drawn over the others, so it is also picked before them.
      const z = v.z - (this.mark[i]! > 1.5 ? 10 : 0);
      if (px * px + py * py <= reach * reach && z < front) {
        front = z;
        best = i;
      }
    }
    return best;
  }

  private pixels(i: number): number {
    const e = this.camera.matrixWorldInverse.elements;
    const z = -(e[2]! * this.xyz[i * 3]! + e[6]! * this.xyz[i * 3 + 1]! + e[10]! * this.xyz[i * 3 + 2]! + e[14]!);
    const px = Math.max((this.size[i]! * this.layers.shared.scale.value) / Math.max(z, 0.001), this.layers.shared.least.value);
    const grown = this.mark[i]! > 2.5 ? 1.25 : this.mark[i]! > 1.5 ? 1.1 : 1;
    return Math.min(px * grown, 160) / this.renderer.getPixelRatio();
  }

  private resize(): void {
    const w = this.host.clientWidth;
    const h = this.host.clientHeight;
    if (!w || !h) return;
    this.ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.renderer.setSize(w, h, true);
    this.overlay.width = w * this.ratio;
    this.overlay.height = h * this.ratio;
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.moved = true;
    this.draw();
  }

  // -- frames

  private touch(): void {
    this.lastTouch = performance.now();
    this.draw();
  }

  /** draw asks for one frame. */
  draw(): void {
    if (this.scheduled || !this.host.clientWidth) return;
    this.scheduled = requestAnimationFrame((t) => this.frame(t));
  }

  private frame(now: number): void {
    this.scheduled = 0;
    if (document.hidden) return;
    this.advanceFlight(now);
    this.advanceReplay(now);
    this.controls.update();
    const began = performance.now();
    this.lighten();
    this.render(now);
    this.cost = this.cost * 0.8 + (performance.now() - began) * 0.2;
    if (this.flight || this.replaying) this.draw();
    requestAnimationFrame((next) => this.pace.took(next - now));
    // What waits leaves the machine half of its time.
    if (!this.scheduled && this.pulsesRun(now)) setTimeout(() => this.draw(), this.pace.slow ? slowPulse : Math.max(24, this.cost * 2));
  }

  // A slow picture is drawn with less while it moves, and whole when it has come to rest.
  private lighten(): void {
    const moves = this.moved || this.flight !== null || this.replaying !== null;
    if (!this.pace.slow || !moves) {
      if (!this.settle) this.light = false;
      return;
    }
    this.light = true;
    clearTimeout(this.settle);
    this.settle = window.setTimeout(() => {
      this.settle = 0;
      this.draw();
    }, settled);
  }

  private pulsesRun(now: number): boolean {
    return !!this.pulses && this.pulsing && !this.still && this.chosen === null && !this.lit.size && now - this.lastTouch < restAfter;
  }

  private advanceFlight(now: number): void {
    const f = this.flight;
    if (!f) return;
    const t = Math.min(1, (now - f.at) / f.time);
    const s = t * t * (3 - 2 * t);
    this.camera.position.lerpVectors(f.from[0], f.to[0], s);
    this.controls.target.lerpVectors(f.from[1], f.to[1], s);
    this.moved = true;
    if (t >= 1) this.flight = null;
  }

  private advanceReplay(now: number): void {
    const r = this.replaying;
    if (!r || this.flight) return;
    if (r.hop < 0 || now - r.at >= hopTime) {
      const arrived = r.hops[r.hop];
      if (arrived) for (const s of arrived) this.lit.add(s.to);
      if (this.sparks) this.layers.drop(this.sparks);
      this.sparks = null;
      r.hop++;
      r.at = now;
      const next = r.hops[r.hop];
      this.remark();
      r.onHop(r.hop);
      if (!next) {
        this.replaying = null;
        return;
      }
      if (next.length) this.spark(next);
    }
    this.layers.shared.time.value = Math.min(0.999, (now - r.at) / hopTime);
  }

  private render(now: number): void {
    if (!this.replaying) this.layers.shared.time.value = (now / 1000) % 10_000;
    const ratio = this.light ? this.ratio * slowRatio : this.ratio;
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.lines?.geometry.setDrawRange(0, this.light ? 2 * Math.max(this.marked, slowLinks) : Infinity);
    const far = this.camera.position.distanceTo(this.centre);
    this.layers.shared.scale.value = (this.renderer.getDrawingBufferSize(new Vector2()).y / (2 * Math.tan((this.camera.fov * Math.PI) / 360))) * this.unit;
    this.layers.shared.least.value = (this.nodes.length > 4000 ? 3.2 : 6) * this.renderer.getPixelRatio();
    this.layers.shared.haze.value.set(far - this.radius * 0.35, far + this.radius * 1.15);
    this.camera.updateMatrixWorld();
    if (this.moved) this.sort();
    this.moved = false;
    if (this.pulses) this.pulses.visible = this.pulsesRun(now);
    this.renderer.render(this.layers.stage, this.camera);
    this.labels();
    if (this.first && this.nodes.length) {
      this.first = false;
      this.time("orma:first-picture");
    }
    if (this.complete && !this.timed) {
      this.timed = true;
      this.time("orma:whole-picture");
    }
    this.canvas.dataset["nodes"] = String(this.nodes.length);
    this.canvas.dataset["links"] = String(this.links.length);
    this.canvas.dataset["calls"] = String(this.renderer.info.render.calls);
    this.canvas.dataset["frames"] = String(Number(this.canvas.dataset["frames"] ?? 0) + 1);
  }

  // Reading a pixel waits until the picture really is there.
  private time(mark: string): void {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    performance.mark(mark);
  }

  private sort(): void {
    const index = this.points?.geometry.getIndex();
    if (!index) return;
    backToFront(this.xyz, this.camera.matrixWorldInverse.elements, this.mark, this.depth, this.order);
    index.needsUpdate = true;
  }

  private labels(): void {
    const { ratio } = this;
    const w = this.host.clientWidth;
    const h = this.host.clientHeight;
    this.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.ctx.clearRect(0, 0, w, h);
    const wanted = new Map<number, number>();
    if (this.lit.size) {
      for (const i of this.lit) wanted.set(i, 2e6 + this.nodes[i]!.degree);
      if (this.chosen !== null) wanted.set(this.chosen, 4e9);
    } else if (this.chosen !== null) {
      wanted.set(this.chosen, 4e9);
      for (const i of this.near[this.chosen] ?? []) {
        const l = this.links[i]!;
        const other = l.from === this.chosen ? l.to : l.from;
        if (!wanted.has(other)) wanted.set(other, 2e6 + this.nodes[other]!.degree);
      }
    } else {
      for (const i of this.byDegree.slice(0, 90)) wanted.set(i, this.nodes[i]!.degree + this.depth[i]! * 1e-4);
    }
    if (this.hovered !== null) wanted.set(this.hovered, 5e9);
    const m = this.camera.projectionMatrix.clone().multiply(this.camera.matrixWorldInverse);
    const v = new Vector3();
    const list: Label[] = [];
    for (const [i, rank] of wanted) {
      v.fromArray(this.xyz, i * 3).applyMatrix4(m);
      if (v.z < -1 || v.z > 1) continue;
      list.push({
        x: ((v.x + 1) / 2) * w, y: ((1 - v.y) / 2) * h, r: this.pixels(i) / 2, text: this.nodes[i]!.label, rank, strong: i === this.chosen || i === this.hovered,
      });
    }
    const focus = this.chosen !== null || this.lit.size > 0;
    drawLabels(this.ctx, list, Math.round((w * h) / (focus ? 24_000 : 29_000)), { ink: this.ink, paper: this.paper, faint: this.faint }, w, h);
  }
}
