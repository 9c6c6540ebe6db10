// The programs that run on the GPU, or in software where there is none. A node is one point
// with a signed distance to its shape, so that ten thousand of them are one draw call.

export const nodeVertex = /* glsl */ `
attribute float kind;
attribute float size;
attribute float mark;   // 0 faded, 1 plain, 2 near, 3 chosen
attribute float hollow; // 1: has ended
uniform float scale;    // pixels of one unit at distance one
uniform float least;
uniform vec2 haze;      // distances at which nodes begin to fade, and are at their faintest
varying float vKind;
varying float vMark;
varying float vHollow;
varying float vPixels;
varying float vHaze;
void main() {
  vec4 mv = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mv;
  float px = max(size * scale / max(-mv.z, 0.001), least);
  if (mark > 2.5) px = max(px * 1.25, least * 4.0);
  else if (mark > 1.5) px = max(px * 1.1, least * 2.2);
  px = min(px, 160.0);
  gl_PointSize = px + 2.0;
  vPixels = px;
  vKind = kind;
  vMark = mark;
  vHollow = hollow;
  vHaze = mark > 1.5 ? 0.0 : clamp((-mv.z - haze.x) / max(haze.y - haze.x, 0.001), 0.0, 1.0);
}`;

export const nodeFragment = /* glsl */ `
precision mediump float;
uniform vec3 palette[6];
uniform vec3 paper;
uniform vec3 ink;
varying float vKind;
varying float vMark;
varying float vHollow;
varying float vPixels;
varying float vHaze;
float box(vec2 p, vec2 b) { vec2 d = abs(p) - b; return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0); }
void main() {
  // p runs from -1 to 1 over the shape, and a little more over the point.
  vec2 p = (gl_PointCoord * 2.0 - 1.0) * (vPixels + 2.0) / vPixels;
  float d;
  int k = int(vKind + 0.5);
  if (k == 0) d = length(p) - 0.92;
  else if (k == 1) d = box(p, vec2(0.66)) - 0.1;
  else if (k == 2) d = (abs(p.x) + abs(p.y) - 0.96) * 0.7071;
  else if (k == 3) { vec2 a = abs(p); d = max(max(a.x, a.y) - 0.86, (a.x + a.y) * 0.7071 - 0.86); }
  else if (k == 4) { vec2 q = vec2(abs(p.x), p.y); d = max(q.y - 0.72, dot(q, vec2(0.8944, -0.4472)) - 0.42); }
  else d = box(p, vec2(0.82, 0.3)) - 0.05;
  float aa = 2.4 / vPixels;
  float inside = 1.0 - smoothstep(-aa * 0.5, aa * 0.5, d);
  if (inside < 0.02) discard;
  vec3 base = palette[k];
  vec3 c = base;
  // Light from above left makes a disc a sphere and lifts the flat ones off the paper.
  float lit = dot(p, vec2(-0.35, -0.5));
  c = mix(c, mix(c, vec3(1.0), 0.55), clamp(lit * 0.75, 0.0, 1.0));
  c = mix(c, c * 0.55, clamp(-lit * 0.85, 0.0, 1.0));
  // A rule carries the bar of a no-entry sign.
  if (k == 3 && vPixels > 7.0 && box(p, vec2(0.5, 0.13)) < 0.0) c = mix(vec3(1.0), paper, 0.04);
  // An edge in the colour of the paper parts nodes that overlap.
  float rim = smoothstep(-aa * 1.6 - 0.05, -aa * 0.4, d);
  c = mix(c, paper, rim * 0.65);
  if (vHollow > 0.5) {
    float wall = max(0.2, 3.0 / vPixels);
    float hole = 1.0 - smoothstep(-wall - aa, -wall, d);
    c = mix(mix(base, paper, 0.15), paper, hole * 0.88);
  }
  if (vMark > 2.5) {
    float ring = 1.0 - smoothstep(0.0, aa * 1.5, abs(d + 0.06) - 0.06);
    c = mix(c, ink, ring);
  }
  float a = inside;
  if (vMark < 0.5) { a *= 0.85; c = mix(c, paper, 0.8); }
  c = mix(c, paper, vHaze * 0.72);
  gl_FragColor = vec4(c, a);
}`;

export const haloVertex = /* glsl */ `
attribute float kind;
attribute float size;
uniform float scale;
varying float vKind;
void main() {
  vec4 mv = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mv;
  gl_PointSize = min(size * 3.4 * scale / max(-mv.z, 0.001), 220.0);
  vKind = kind;
}`;

export const haloFragment = /* glsl */ `
precision mediump float;
uniform vec3 palette[6];
uniform float strength;
varying float vKind;
void main() {
  float r = length(gl_PointCoord * 2.0 - 1.0);
  if (r > 1.0) discard;
  float a = (1.0 - r) * (1.0 - r) * strength;
  gl_FragColor = vec4(palette[int(vKind + 0.5)], a);
}`;

// The colour of a link is worked out at its ends: in software each pixel of a line costs.
export const lineVertex = /* glsl */ `
attribute float end;    // 0 where the link begins, 1 where it points
attribute float weight; // 0 to 1
attribute float mark;   // 0 faded, 1 plain, 2 near the chosen node
attribute float tint;   // kind of the node it points to
uniform vec2 haze;
uniform vec3 palette[6];
uniform vec3 line;
uniform float strength;
varying vec4 vColour;
void main() {
  vec4 mv = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mv;
  float far = clamp((-mv.z - haze.x) / max(haze.y - haze.x, 0.001), 0.0, 1.0);
  float along = mix(0.28, 1.0, end);
  vec3 c = palette[int(tint + 0.5)];
  if (mark > 1.5) vColour = vec4(mix(line, c, 0.85), mix(0.45, 1.0, end) * 0.9);
  else vColour = vec4(mix(line, c, 0.35), (0.25 + 0.75 * weight) * along * (1.0 - 0.8 * far) * strength * (mark < 0.5 ? 0.16 : 1.0));
}`;

export const lineFragment = /* glsl */ `
precision mediump float;
varying vec4 vColour;
void main() {
  gl_FragColor = vColour;
}`;

export const pulseVertex = /* glsl */ `
attribute vec3 target;
attribute float phase;
attribute float speed;  // links a second
attribute float force;  // 0 to 1
attribute float kind;
uniform float time;
uniform float scale;
varying float vForce;
varying float vKind;
void main() {
  float t = fract(phase + time * speed);
  vec4 mv = modelViewMatrix * vec4(mix(position, target, t), 1.0);
  gl_Position = projectionMatrix * mv;
  gl_PointSize = clamp((0.5 + force) * 1.5 * scale / max(-mv.z, 0.001), 3.0, 14.0);
  // Born at one end and gone at the other.
  vForce = (0.35 + 0.65 * force) * smoothstep(0.0, 0.12, t) * (1.0 - smoothstep(0.88, 1.0, t));
  vKind = kind;
}`;

export const pulseFragment = /* glsl */ `
precision mediump float;
uniform vec3 palette[6];
uniform vec3 ink;
varying float vForce;
varying float vKind;
void main() {
  float r = length(gl_PointCoord * 2.0 - 1.0);
  if (r > 1.0) discard;
  float core = 1.0 - smoothstep(0.15, 0.5, r);
  float a = ((1.0 - r) * 0.6 + core) * vForce;
  gl_FragColor = vec4(mix(palette[int(vKind + 0.5)], ink, core * 0.7), min(a, 1.0));
}`;
