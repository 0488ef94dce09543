// Straight pieces: contacts and bonds (tubes from centre to centre), rays, plates and edges. Each is a square turned to the
// eye, as wide as the tube, or a minimum number of pixels.
import { BufferAttribute, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial } from "three";
import { toneShader, toneUniforms } from "./spheres.js";

const vertexShader = `
in vec2 corner;         // x: 0 at the first end, 1 at the second; y: -1 and 1 across
in vec3 from, to;
in float width, value;
uniform vec4 cut;
uniform float pixel, least, lift;
out vec3 colour;
out float across, along;
flat out float size;
${toneShader}
void main() {
  vec4 a = modelViewMatrix * vec4(from, 1.0), b = modelViewMatrix * vec4(to, 1.0);
  vec2 direction = b.xy - a.xy;
  float stretch = length(direction);
  direction = stretch > 0.0 ? direction / stretch : vec2(1.0, 0.0);
  size = max(0.5 * width, 0.5 * least * pixel);
  vec4 seen = corner.x < 0.5 ? a : b;
  float drawn = size + 0.5 * pixel;
  seen.xy += corner.y * drawn * vec2(-direction.y, direction.x) + (corner.x < 0.5 ? -1.0 : 1.0) * direction * size;
  seen.z += lift * size;
  across = corner.y * drawn / size;
  along = corner.x;
  colour = colourOf(value);
  gl_Position = projectionMatrix * seen;
  if (isnan(from.x + to.x) || dot(cut.xyz, from) > cut.w || dot(cut.xyz, to) > cut.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragmentShader = `
in vec3 colour;
in float across, along;
flat in float size;
uniform float pixel, opacity, round, taper;
out vec4 shown;
void main() {
  float edge = pixel / size, d = abs(across);
  float cover = 1.0 - smoothstep(1.0 - 0.5 * edge, 1.0 + 0.5 * edge, d);
  float light = 1.0 - round * 0.45 * min(d * d, 1.0);
  cover *= opacity * mix(1.0, along, taper);
  if (cover < 0.01) discard;
  shown = vec4(colour * light, cover);
}`;

const attributes = { from: 3, to: 3, width: 1, value: 1 };

export class Segments {
  // round: 1 shades like a tube; taper: 1 fades towards the first end; least: width in pixels that it has at least.
  constructor(shared, { least = 1, round = 0, taper = 0, opacity = 1, lift = 0, depthTest = true, colour = [0.3, 0.3, 0.3] } = {}) {
    this.uniforms = { ...toneUniforms(), cut: shared.cut, pixel: shared.pixel, least: { value: least }, round: { value: round },
      taper: { value: taper }, opacity: { value: opacity }, lift: { value: lift } };
    this.uniforms.plain.value = colour;
    this.material = new ShaderMaterial({ glslVersion: GLSL3, uniforms: this.uniforms, vertexShader, fragmentShader, transparent: true, depthTest,
      depthWrite: depthTest && opacity === 1 && taper === 0 });
    this.mesh = new Mesh(new InstancedBufferGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  // ends: 6 numbers each; widths and values: one each, or one number for all.
  set(ends, widths = 0, values = 0) {
    const count = ends.length / 6, arrays = { from: new Float32Array(3 * count), to: new Float32Array(3 * count) };
    for (let k = 0; k < count; k++) {
      for (let axis = 0; axis < 3; axis++) {
        arrays.from[3 * k + axis] = ends[6 * k + axis];
        arrays.to[3 * k + axis] = ends[6 * k + 3 + axis];
      }
    }
    arrays.width = typeof widths === "number" ? new Float32Array(count).fill(widths) : widths;
    arrays.value = typeof values === "number" ? new Float32Array(count).fill(values) : values;
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(12), 3));
    geometry.setAttribute("corner", new BufferAttribute(new Float32Array([0, -1, 1, -1, 1, 1, 0, 1]), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.instanceCount = count;
    for (const [name, size] of Object.entries(attributes)) geometry.setAttribute(name, new InstancedBufferAttribute(arrays[name], size));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.mesh.visible = count > 0;
  }

  clear() {
    this.mesh.visible = false;
  }
}
