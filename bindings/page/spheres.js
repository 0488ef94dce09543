// Particles: a square for each, turned to the eye, on which the fragment shader draws a disc (two dimensions) or a ball
// with its true depth (three). Projection is parallel, so a ball's outline is a circle and its depth needs one root. Where
// particles are small on the screen, points take the place of squares.
import {
  DataTexture, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, BufferAttribute, BufferGeometry, Group, Mesh, NearestFilter, LinearFilter,
  Points, RGBAFormat, ShaderMaterial, Vector2,
} from "three";
import { mapBytes } from "./colour.js";

// What every shader that colours by a value shares.
export const toneShader = `
uniform sampler2D map;
uniform vec2 range;     // least and greatest; of logarithms where the scale is logarithmic
uniform int scale;      // 0 linear, 1 logarithmic, 2 groups, 3 one colour
uniform vec3 plain;
vec3 colourOf(float value) {
  if (scale == 3) return plain;
  if (isnan(value) || (scale == 1 && value <= 0.0)) return vec3(0.706);
  if (scale == 2) return value < 0.0 ? vec3(0.706) : texture(map, vec2((mod(value, 256.0) + 0.5) / 256.0, 0.5)).rgb;
  float shown = scale == 1 ? log(value) : value;
  float tone = range.y != range.x ? (shown - range.x) / (range.y - range.x) : 0.5;
  return texture(map, vec2((clamp(tone, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}`;

export function toneUniforms() {
  const texture = new DataTexture(mapBytes("viridis"), 256, 1, RGBAFormat);
  texture.needsUpdate = true;
  return { map: { value: texture }, range: { value: new Vector2(0, 1) }, scale: { value: 3 }, plain: { value: [0.35, 0.55, 0.75] } };
}

// scale: { map, low, high, logarithmic }, or null for one colour.
export function setTone(uniforms, scale) {
  uniforms.scale.value = !scale ? 3 : scale.map === "groups" ? 2 : scale.logarithmic ? 1 : 0;
  if (!scale) return;
  const texture = uniforms.map.value;
  texture.image.data.set(mapBytes(scale.map));
  texture.minFilter = texture.magFilter = scale.map === "groups" ? NearestFilter : LinearFilter;
  texture.needsUpdate = true;
  if (scale.logarithmic) uniforms.range.value.set(Math.log(scale.low), Math.log(scale.high));
  else uniforms.range.value.set(scale.low, scale.high);
}

// POINTS: the square is a point of the graphics library, one vertex instead of four, for particles of few pixels.
const vertexShader = `
#ifndef POINTS
in vec2 corner;
#endif
in float px, py, pz, radius, value;
uniform vec4 cut;       // hidden: centres with dot(cut.xyz, centre) > cut.w
uniform float pixel;    // its size in the world
out vec3 colour;
flat out float reach;   // radius drawn
#ifndef POINTS
out vec2 spot;          // on the square, in radii
out float eyeDepth;
#endif
${toneShader}
void main() {
  vec3 centre = vec3(px, py, pz);
  vec4 seen = modelViewMatrix * vec4(centre, 1.0);
  reach = max(radius, 0.6 * pixel);
  colour = colourOf(value);
#ifdef POINTS
  gl_PointSize = 2.0 * reach / pixel + 1.0;
#else
  spot = corner * (1.0 + pixel / reach);
  seen.xy += spot * reach;
  eyeDepth = seen.z;
#endif
  gl_Position = projectionMatrix * seen;
  if (isnan(px) || isnan(radius) || dot(cut.xyz, centre) > cut.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const spotShader = `
in vec3 colour;
flat in float reach;
uniform float pixel;
out vec4 shown;
#ifdef POINTS
vec2 place() { return (gl_PointCoord * 2.0 - 1.0) * vec2(1.0, -1.0) * (1.0 + 0.5 * pixel / reach); }
#else
in vec2 spot;
in float eyeDepth;
vec2 place() { return spot; }
#endif`;

const discShader = `${spotShader}
void main() {
  float d = length(place()), soft = pixel / reach;
  float cover = 1.0 - smoothstep(1.0 - soft, 1.0 + 0.5 * soft, d);
  if (cover <= 0.0) discard;
  float rim = soft < 0.25 ? smoothstep(1.0 - 2.2 * soft, 1.0 - 0.8 * soft, d) : 0.0;
  shown = vec4(colour * (1.0 - 0.45 * rim), cover);
}`;

// Without a depth of its own for every pixel, hidden points are left out before their colour is worked out.
const ballShader = `${spotShader}
#ifndef POINTS
uniform mat4 projectionMatrix;
#endif
void main() {
  vec2 at = place();
  float square = dot(at, at);
  if (square > 1.0) discard;
  float height = sqrt(1.0 - square);
  float light = 0.42 + 0.58 * max(dot(vec3(at, height), normalize(vec3(-0.35, 0.5, 0.8))), 0.0);
  light *= 1.0 - 0.25 * pow(1.0 - height, 3.0);
  shown = vec4(colour * light, 1.0);
#ifndef POINTS
  float depth = projectionMatrix[2][2] * (eyeDepth + reach * height) + projectionMatrix[3][2];
  gl_FragDepth = 0.5 * depth + 0.5;
#endif
}`;

const columns = ["px", "py", "pz", "radius", "value"];
const smallPixels = 6; // up to this radius on the screen particles are points

function materialOf(dimension, uniforms, points) {
  const flat = dimension === 2;
  return new ShaderMaterial({
    glslVersion: GLSL3, uniforms, vertexShader, fragmentShader: flat ? discShader : ballShader, defines: points ? { POINTS: 1 } : {},
    transparent: flat, depthTest: !flat, depthWrite: !flat,
  });
}

function squares(count) {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(12), 3));
  geometry.setAttribute("corner", new BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  geometry.instanceCount = count;
  return geometry;
}

export class Spheres {
  constructor(dimension, shared) {
    this.uniforms = { ...toneUniforms(), cut: shared.cut, pixel: shared.pixel };
    const quads = new Mesh(new BufferGeometry(), materialOf(dimension, this.uniforms, false));
    const points = new Points(new BufferGeometry(), materialOf(dimension, this.uniforms, true));
    this.parts = [quads, points].map((object) => ({ object, count: -1 }));
    this.mesh = new Group();
    for (const { object } of this.parts) {
      object.frustumCulled = false;
      this.mesh.add(object);
    }
  }

  // Arrays of one length; values may be null.
  set(x, y, z, radius, values) {
    this.arrays = [x, y, z, radius, values];
    const stride = Math.max(1, Math.floor(radius.length / 1000));
    let sum = 0, count = 0;
    for (let k = 0; k < radius.length; k += stride) {
      if (Number.isNaN(radius[k])) continue; // not round: drawn by grains.js
      sum += radius[k];
      count++;
    }
    this.radius = count > 0 ? sum / count : 0;
  }

  // Before drawing: squares or points, by their size on the screen. Arrays that are there already are not sent again.
  prepare(pixel) {
    if (!this.arrays) return;
    const [chosen, other] = this.radius < smallPixels * pixel ? [1, 0] : [0, 1], part = this.parts[chosen], count = this.arrays[0].length;
    this.parts[other].object.visible = false;
    part.object.visible = count > 0;
    if (part.count !== count) this.begin(part, chosen === 1, count);
    this.arrays.forEach((array, k) => {
      const attribute = part.object.geometry.attributes[columns[k]], wanted = array && array.length === count ? array : part.nothing;
      if (attribute.array === wanted) return;
      attribute.array = wanted;
      attribute.needsUpdate = true;
    });
  }

  begin(part, points, count) {
    const geometry = points ? new BufferGeometry() : squares(count), Attribute = points ? BufferAttribute : InstancedBufferAttribute;
    part.nothing = new Float32Array(count);
    for (const name of columns) geometry.setAttribute(name, new Attribute(part.nothing, 1));
    if (points) geometry.setDrawRange(0, count);
    part.object.geometry.dispose();
    part.object.geometry = geometry;
    part.count = count;
  }
}
