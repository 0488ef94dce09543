// Grains that are not round: their outlines as filled polygons, coloured like the discs beside them, with a darker rim.
// Polygons are convex, so each is a fan of triangles about its first point. In three dimensions they are capsules, a square
// for each, turned to the eye about its axis, on which the fragment shader finds the capsule's nearest point and its depth;
// and ellipsoids likewise, on a square about their outline.
import {
  BufferAttribute, BufferGeometry, GLSL3, Group, InstancedBufferAttribute, InstancedBufferGeometry, LineSegments, Mesh, ShaderMaterial,
} from "three";
import { toneShader } from "./spheres.js";

export const grainArrays = ["x", "y", "z", "ends", "place", "rounding"].map((name) => "grains." + name);

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

const capsuleVertexShader = `
in vec2 corner;         // x: -1 at the first end, 1 at the second; y: -1 and 1 across
in vec3 from, to;
in float rounding, value;
uniform vec4 cut;       // hidden: axes with an end where dot(cut.xyz, end) > cut.w
uniform float pixel;    // its size in the world
out vec3 colour;
out vec2 spot;          // of the view
flat out vec3 first, second;
flat out float reach;   // radius drawn
${toneShader}
void main() {
  first = (modelViewMatrix * vec4(from, 1.0)).xyz;
  second = (modelViewMatrix * vec4(to, 1.0)).xyz;
  reach = max(rounding, 0.6 * pixel);
  colour = colourOf(value);
  vec2 along = second.xy - first.xy;
  float stretch = length(along);
  along = stretch > 0.0 ? along / stretch : vec2(1.0, 0.0);
  vec4 seen = vec4(corner.x < 0.0 ? first : second, 1.0);
  seen.xy += reach * (corner.x * along + corner.y * vec2(-along.y, along.x));
  spot = seen.xy;
  gl_Position = projectionMatrix * seen;
  if (isnan(from.x + to.x) || dot(cut.xyz, from) > cut.w || dot(cut.xyz, to) > cut.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

// The line of sight is z. The greatest z of the two balls, or of the cylinder between them where its foot is within the axis.
const capsuleFragmentShader = `
in vec3 colour;
in vec2 spot;
flat in vec3 first, second;
flat in float reach;
uniform mat4 projectionMatrix;
out vec4 shown;
void tryEnd(vec3 end, inout float best, inout vec3 normal) {
  vec2 at = (spot - end.xy) / reach;
  float square = dot(at, at);
  if (square > 1.0) return;
  float height = sqrt(1.0 - square);
  if (end.z + reach * height <= best) return;
  best = end.z + reach * height;
  normal = vec3(at, height);
}
void main() {
  float best = -1e30;
  vec3 normal = vec3(0.0), axis = second - first;
  tryEnd(first, best, normal);
  tryEnd(second, best, normal);
  float whole = dot(axis, axis), across = whole - axis.z * axis.z;
  vec2 from = spot - first.xy;
  float along = dot(from, axis.xy), middle = along * axis.z;
  float rest = dot(from, from) * whole - along * along - reach * reach * whole, root = middle * middle - across * rest;
  if (across > 1e-9 * whole && root >= 0.0) {
    float z = (middle + sqrt(root)) / across, foot = (along + z * axis.z) / whole;
    if (foot > 0.0 && foot < 1.0 && first.z + z > best) {
      best = first.z + z;
      normal = (vec3(from, z) - foot * axis) / reach;
    }
  }
  if (best < -1e29) discard;
  float light = 0.42 + 0.58 * max(dot(normal, normalize(vec3(-0.35, 0.5, 0.8))), 0.0);
  light *= 1.0 - 0.25 * pow(1.0 - clamp(normal.z, 0.0, 1.0), 3.0);
  shown = vec4(colour * light, 1.0);
  gl_FragDepth = 0.5 * (projectionMatrix[2][2] * best + projectionMatrix[3][2]) + 0.5;
}`;

const ellipsoidVertexShader = `
in vec2 corner;         // -1 and 1, to the right and up
in vec3 centre, first, second, third; // and the ends of its semi-axes
in float value;
uniform vec4 cut;       // hidden: centres where dot(cut.xyz, centre) > cut.w
uniform float pixel;
out vec3 colour;
out vec2 spot;          // of the view, from the centre
flat out vec3 a, b, c;
flat out float depth;
${toneShader}
vec3 seenAxis(vec3 end) {
  vec3 axis = mat3(modelViewMatrix) * (end - centre);
  float reach = length(axis);
  return reach > 0.0 ? axis * max(1.0, 0.6 * pixel / reach) : axis;
}
void main() {
  a = seenAxis(first);
  b = seenAxis(second);
  c = seenAxis(third);
  colour = colourOf(value);
  vec4 seen = modelViewMatrix * vec4(centre, 1.0);
  depth = seen.z;
  spot = corner * sqrt(a.xy * a.xy + b.xy * b.xy + c.xy * c.xy);
  seen.xy += spot;
  gl_Position = projectionMatrix * seen;
  if (isnan(centre.x) || dot(cut.xyz, centre) > cut.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

// Points of the surface are the sum of w axis, |w| = 1; w = u + z v on the line of sight.
const ellipsoidFragmentShader = `
in vec3 colour;
in vec2 spot;
flat in vec3 a, b, c;
flat in float depth;
uniform mat4 projectionMatrix;
out vec4 shown;
void main() {
  vec3 size = vec3(dot(a, a), dot(b, b), dot(c, c));
  vec3 u = vec3(dot(a.xy, spot), dot(b.xy, spot), dot(c.xy, spot)) / size, v = vec3(a.z, b.z, c.z) / size;
  float square = dot(v, v), middle = dot(u, v), rest = dot(u, u) - 1.0;
  float discriminant = middle * middle - square * rest;
  if (discriminant < 0.0) discard;
  float z = (-middle + sqrt(discriminant)) / square;
  vec3 along = (u + z * v) / size, normal = normalize(along.x * a + along.y * b + along.z * c);
  float light = 0.42 + 0.58 * max(dot(normal, normalize(vec3(-0.35, 0.5, 0.8))), 0.0);
  light *= 1.0 - 0.25 * pow(1.0 - clamp(normal.z, 0.0, 1.0), 3.0);
  shown = vec4(colour * light, 1.0);
  gl_FragDepth = 0.5 * (projectionMatrix[2][2] * (depth + z) + projectionMatrix[3][2]) + 0.5;
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
    this.rods = new Mesh(new BufferGeometry(), new ShaderMaterial({ glslVersion: GLSL3, uniforms, vertexShader: capsuleVertexShader,
      fragmentShader: capsuleFragmentShader }));
    this.ellipsoids = new Mesh(new BufferGeometry(), new ShaderMaterial({ glslVersion: GLSL3, uniforms, vertexShader: ellipsoidVertexShader,
      fragmentShader: ellipsoidFragmentShader }));
    for (const part of [this.faces, this.rims, this.rods, this.ellipsoids]) {
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
    const [x, y, z, ends, place, rounding] = wanted, any = Boolean(x && ends && place && ends.length > 0), solid = any && Boolean(rounding);
    this.faces.visible = this.rims.visible = any && !solid;
    this.rods.visible = this.ellipsoids.visible = solid;
    if (solid) this.setSolids([x, y, z], ends, place, rounding, values);
    if (!any || solid) return;
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

  // Capsules have two points, the ends of their axes; ellipsoids four, the centre and the ends of the semi-axes.
  setSolids(axes, ends, place, rounding, values) {
    const cells = { 2: [], 4: [] };
    for (let cell = 0; cell < ends.length; cell++) {
      const begin = cell > 0 ? ends[cell - 1] : 0;
      cells[ends[cell] - begin].push({ begin, rounding: rounding[cell], value: values ? values[place[cell] - 1] : 0 });
    }
    const attributesOf = (list, names) => {
      const attributes = { value: [Float32Array.from(list, (one) => one.value), 1] };
      for (const [point, name] of names.entries()) {
        const array = new Float32Array(3 * list.length);
        for (const [k, one] of list.entries()) {
          for (let axis = 0; axis < 3; axis++) array[3 * k + axis] = axes[axis][one.begin + point];
        }
        attributes[name] = [array, 3];
      }
      return attributes;
    };
    const rods = { ...attributesOf(cells[2], ["from", "to"]), rounding: [Float32Array.from(cells[2], (one) => one.rounding), 1] };
    for (const [part, attributes, count] of [[this.rods, rods, cells[2].length],
      [this.ellipsoids, attributesOf(cells[4], ["centre", "first", "second", "third"]), cells[4].length]]) {
      const geometry = new InstancedBufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(12), 3));
      geometry.setAttribute("corner", new BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
      geometry.setIndex([0, 1, 2, 0, 2, 3]);
      geometry.instanceCount = count;
      for (const [name, [array, size]] of Object.entries(attributes)) geometry.setAttribute(name, new InstancedBufferAttribute(array, size));
      part.geometry.dispose();
      part.geometry = geometry;
      part.visible = count > 0;
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
