// Grains that are not round: their outlines as filled polygons, coloured like the discs beside them, with a darker rim.
// Polygons are convex, so each is a fan of triangles about its first point.
import { BufferAttribute, BufferGeometry, GLSL3, Group, LineSegments, Mesh, ShaderMaterial } from "three";
import { toneShader } from "./spheres.js";

export const grainArrays = ["x", "y", "ends", "place"].map((name) => "grains." + name);

const vertexShader = `
in float value;
out vec3 colour;
out vec3 at;
${toneShader}
void main() {
  colour = colourOf(value);
  at = position;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const fragmentShader = `
in vec3 colour, at;
uniform vec4 cut;
uniform float light;
out vec4 shown;
void main() {
  if (dot(cut.xyz, at) > cut.w) discard;
  shown = vec4(colour * light, 1.0);
}`;

// uniforms: those of the discs, so that both have one scale.
function materialOf(uniforms, light) {
  return new ShaderMaterial({ glslVersion: GLSL3, uniforms: { ...uniforms, light: { value: light } }, vertexShader, fragmentShader,
    depthTest: false, depthWrite: false, transparent: true });
}

export class Grains {
  constructor(uniforms) {
    this.faces = new Mesh(new BufferGeometry(), materialOf(uniforms, 1));
    this.rims = new LineSegments(new BufferGeometry(), materialOf(uniforms, 0.55));
    this.group = new Group();
    for (const part of [this.faces, this.rims]) {
      part.frustumCulled = false;
      part.visible = false;
      this.group.add(part);
    }
  }

  // values: of the particles, or null for one colour.
  set(arrays, values) {
    const wanted = [...grainArrays.map((name) => arrays[name]), values];
    if (this.shown && wanted.every((array, k) => array === this.shown[k])) return;
    this.shown = wanted;
    const [x, y, ends, place] = wanted, any = Boolean(x && ends && place && ends.length > 0);
    this.faces.visible = this.rims.visible = any;
    if (!any) return;
    const position = new Float32Array(3 * x.length), value = new Float32Array(x.length);
    for (let k = 0; k < x.length; k++) {
      position[3 * k] = x[k];
      position[3 * k + 1] = y[k];
    }
    const triangles = new Uint32Array(3 * (x.length - 2 * ends.length)), edges = new Uint32Array(2 * x.length);
    let begin = 0, triangle = 0;
    for (let cell = 0; cell < ends.length; cell++) {
      for (let k = begin; k < ends[cell]; k++) {
        if (values) value[k] = values[place[cell] - 1];
        edges[2 * k] = k;
        edges[2 * k + 1] = k + 1 < ends[cell] ? k + 1 : begin;
        if (k > begin && k + 1 < ends[cell]) {
          triangles.set([begin, k, k + 1], triangle);
          triangle += 3;
        }
      }
      begin = ends[cell];
    }
    const attributes = { position: new BufferAttribute(position, 3), value: new BufferAttribute(value, 1) };
    for (const [part, index] of [[this.faces, triangles], [this.rims, edges]]) {
      const geometry = new BufferGeometry();
      for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
      geometry.setIndex(new BufferAttribute(index, 1));
      part.geometry.dispose();
      part.geometry = geometry;
    }
  }

  // Radii of the particles without those that are drawn here.
  roundOnly(arrays) {
    const radius = arrays["particles.radius"], place = arrays["grains.place"];
    if (!place || place.length === 0) return radius;
    if (this.radius === radius && this.place === place) return this.rounds;
    this.radius = radius;
    this.place = place;
    this.rounds = radius.slice();
    for (const one of place) this.rounds[one - 1] = NaN;
    return this.rounds;
  }
}
