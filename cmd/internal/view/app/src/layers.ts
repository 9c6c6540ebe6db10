// What the scene is made of: a layer a draw call, each with its buffers.

import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, LineSegments, NormalBlending, Points, Scene as Stage, ShaderMaterial, Vector2,
} from "three";
import { kinds, type Kind } from "./kinds.ts";
import * as shader from "./shaders.ts";

export interface SceneNode {
  id: string;
  kind: Kind;
  label: string;
  degree: number;
  ended: boolean;
  x: number;
  y: number;
  z: number;
}

export interface SceneLink {
  from: number; // index of a node
  to: number;
  weight: number; // 0 to 1
  pulse: number; // 0: none, to 1: much and lately used
}

const sizes: Record<Kind, number> = { entity: 2.5, state: 2.7, conditional: 3, rule: 3.1, event: 2.7, passage: 2.1 };
const mostPulses = 600;

/** sizeOf is how large a node is drawn, in steps of the scene. */
export function sizeOf(v: SceneNode): number {
  return sizes[v.kind] + (v.kind === "entity" ? Math.min(8, 0.85 * Math.sqrt(Math.max(0, v.degree - 1))) : 0);
}

export class Layers {
  readonly stage = new Stage();
  readonly shared = {
    palette: { value: kinds.map(() => new Color()) },
    paper: { value: new Color() },
    ink: { value: new Color() },
    line: { value: new Color() },
    scale: { value: 1 },
    least: { value: 3 },
    haze: { value: new Vector2(1, 2) },
    time: { value: 0 },
  };
  private all: SceneNode[] = [];
  private links: SceneLink[] = [];
  private xyz = new Float32Array(0);

  /** of says what the layers that are made next show. */
  of(nodes: SceneNode[], links: SceneLink[], xyz: Float32Array<ArrayBuffer>): void {
    this.all = nodes;
    this.links = links;
    this.xyz = xyz;
  }

  /** nodes are one draw call, in the order that `order` says. */
  nodes(kind: Float32Array, size: Float32Array, mark: Float32Array, hollow: Float32Array, order: Uint32Array): Points | null {
    if (!this.all.length) return null;
    const g = this.geometry({ position: [this.xyz, 3], kind: [kind, 1], size: [size, 1], mark: [mark, 1], hollow: [hollow, 1] });
    (g.getAttribute("mark") as BufferAttribute).setUsage(DynamicDrawUsage);
    g.setIndex(new BufferAttribute(order, 1).setUsage(DynamicDrawUsage));
    return this.put(new Points(g, this.material(shader.nodeVertex, shader.nodeFragment)), 4);
  }

  /** halos are the light around the largest hubs. */
  halos(byDegree: number[], kind: Float32Array, size: Float32Array): Points | null {
    const hubs = byDegree.filter((i) => this.all[i]!.kind === "entity" && this.all[i]!.degree > 4).slice(0, 60);
    if (!hubs.length) return null;
    const pick = (from: Float32Array, each: number) => Float32Array.from(hubs.flatMap((i) => Array.from(from.subarray(i * each, i * each + each))));
    const g = this.geometry({ position: [pick(this.xyz, 3), 3], kind: [pick(kind, 1), 1], size: [pick(size, 1), 1] });
    return this.put(new Points(g, this.material(shader.haloVertex, shader.haloFragment, { strength: { value: 0 } })), 1);
  }

  /** lines are the links, brighter towards what they point to. */
  lines(): LineSegments | null {
    const n = this.links.length;
    if (!n) return null;
    const position = new Float32Array(n * 6);
    const end = new Float32Array(n * 2);
    const weight = new Float32Array(n * 2);
    const tint = new Float32Array(n * 2);
    const mark = new Float32Array(n * 2).fill(1);
    this.links.forEach((l, i) => {
      position.set(this.xyz.subarray(l.from * 3, l.from * 3 + 3), i * 6);
      position.set(this.xyz.subarray(l.to * 3, l.to * 3 + 3), i * 6 + 3);
      end[i * 2 + 1] = 1;
      weight.fill(l.weight, i * 2, i * 2 + 2);
      tint.fill(kinds.indexOf(this.all[l.to]!.kind), i * 2, i * 2 + 2);
    });
    const g = this.geometry({ position: [position, 3], end: [end, 1], weight: [weight, 1], tint: [tint, 1], mark: [mark, 1] });
    (g.getAttribute("mark") as BufferAttribute).setUsage(DynamicDrawUsage);
    g.setIndex(new BufferAttribute(Uint32Array.from({ length: n * 2 }, (_, i) => i), 1).setUsage(DynamicDrawUsage));
    const strength = Math.max(0.1, Math.min(0.8, 20 / Math.sqrt(n))); // many links are to be a haze, not a wall
    return this.put(new LineSegments(g, this.material(shader.lineVertex, shader.lineFragment, { strength: { value: strength } })), 2);
  }

  /** pulses run along links. */
  pulses(list: { from: number; to: number; force: number; speed: number; phase: number }[], order: number): Points {
    const n = list.length;
    const position = new Float32Array(n * 3);
    const target = new Float32Array(n * 3);
    const rest = { phase: new Float32Array(n), speed: new Float32Array(n), force: new Float32Array(n), kind: new Float32Array(n) };
    list.forEach((p, i) => {
      position.set(this.xyz.subarray(p.from * 3, p.from * 3 + 3), i * 3);
      target.set(this.xyz.subarray(p.to * 3, p.to * 3 + 3), i * 3);
      rest.phase[i] = p.phase;
      rest.speed[i] = p.speed;
      rest.force[i] = p.force;
      rest.kind[i] = kinds.indexOf(this.all[p.to]!.kind);
    });
    const g = this.geometry({
      position: [position, 3], target: [target, 3], phase: [rest.phase, 1], speed: [rest.speed, 1], force: [rest.force, 1], kind: [rest.kind, 1],
    });
    return this.put(new Points(g, this.material(shader.pulseVertex, shader.pulseFragment)), order);
  }

  /** livePulses are those of the links that were used last and most. */
  livePulses(): Points | null {
    const live = this.links.map((l, i) => ({ l, i })).filter(({ l }) => l.pulse > 0.02);
    live.sort((a, b) => b.l.pulse - a.l.pulse || a.i - b.i);
    const list = live.slice(0, mostPulses).map(({ l, i }) => ({
      from: l.from, to: l.to, force: l.pulse, speed: 0.12 + 0.45 * l.pulse, phase: (i * 0.61803398875) % 1,
    }));
    return list.length ? this.pulses(list, 3) : null;
  }

  private material(vertex: string, fragment: string, own: Record<string, { value: unknown }> = {}): ShaderMaterial {
    return new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, uniforms: { ...this.shared, ...own }, transparent: true, depthTest: false, depthWrite: false, blending: NormalBlending,
    });
  }

  private geometry(attributes: Record<string, [Float32Array, number]>): BufferGeometry {
    const g = new BufferGeometry();
    for (const [name, [array, each]] of Object.entries(attributes)) g.setAttribute(name, new BufferAttribute(array, each));
    return g;
  }

  private put<T extends Points | LineSegments>(o: T, order: number): T {
    o.frustumCulled = false;
    o.renderOrder = order;
    this.stage.add(o);
    return o;
  }

  drop(o: Points | LineSegments): void {
    this.stage.remove(o);
    o.geometry.dispose();
    (o.material as ShaderMaterial).dispose();
  }
}
