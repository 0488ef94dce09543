// Particles: a square for each, turned to the eye, on which the fragment shader draws a disc (two dimensions) or a ball
// with its true depth (three). Projection is parallel, so a ball's outline is a circle and its depth needs one root.
import {
  DataTexture, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, BufferAttribute, Mesh, NearestFilter, LinearFilter,
  RGBAFormat, ShaderMaterial, Vector2, Vector4,
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

const vertexShader = `
in vec2 corner;
in float px, py, pz, radius, value;
uniform vec4 cut;       // hidden: centres with dot(cut.xyz, centre) > cut.w
uniform float pixel;    // its size in the world
out vec2 spot;          // on the square, in radii
out vec3 colour;
flat out float reach;   // radius drawn
out float eyeDepth;
${toneShader}
void main() {
  vec3 centre = vec3(px, py, pz);
  vec4 seen = modelViewMatrix * vec4(centre, 1.0);
  reach = max(radius, 0.6 * pixel);
  float grown = 1.0 + pixel / reach;
  spot = corner * grown;
  seen.xy += spot * reach;
  eyeDepth = seen.z;
  colour = colourOf(value);
  gl_Position = projectionMatrix * seen;
  if (isnan(px) || isnan(radius) || dot(cut.xyz, centre) > cut.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const discShader = `
in vec2 spot;
in vec3 colour;
flat in float reach;
in float eyeDepth;
uniform float pixel;
out vec4 shown;
void main() {
  float d = length(spot), soft = pixel / reach;
  float cover = 1.0 - smoothstep(1.0 - soft, 1.0 + 0.5 * soft, d);
  if (cover <= 0.0) discard;
  float rim = soft < 0.25 ? smoothstep(1.0 - 2.2 * soft, 1.0 - 0.8 * soft, d) : 0.0;
  shown = vec4(colour * (1.0 - 0.45 * rim), cover);
}`;

const ballShader = `
in vec2 spot;
in vec3 colour;
flat in float reach;
in float eyeDepth;
uniform float pixel;
uniform mat4 projectionMatrix;
out vec4 shown;
void main() {
  float square = dot(spot, spot);
  if (square > 1.0) discard;
  float height = sqrt(1.0 - square);
  vec3 normal = vec3(spot, height);
  float light = 0.42 + 0.58 * max(dot(normal, normalize(vec3(-0.35, 0.5, 0.8))), 0.0);
  light *= 1.0 - 0.25 * pow(1.0 - height, 3.0);
  shown = vec4(colour * light, 1.0);
  float depth = projectionMatrix[2][2] * (eyeDepth + reach * height) + projectionMatrix[3][2];
  gl_FragDepth = 0.5 * depth + 0.5;
}`;

const columns = ["px", "py", "pz", "radius", "value"];

export class Spheres {
  constructor(dimension, shared) {
    this.uniforms = { ...toneUniforms(), cut: shared.cut, pixel: shared.pixel };
    const flat = dimension === 2;
    this.material = new ShaderMaterial({
      glslVersion: GLSL3, uniforms: this.uniforms, vertexShader, fragmentShader: flat ? discShader : ballShader,
      transparent: flat, depthTest: !flat, depthWrite: !flat,
    });
    this.mesh = new Mesh(new InstancedBufferGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.count = -1;
    this.nothing = new Float32Array(0);
  }

  begin(count) {
    this.mesh.geometry.dispose();
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(12), 3));
    geometry.setAttribute("corner", new BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.instanceCount = count;
    for (const name of columns) geometry.setAttribute(name, new InstancedBufferAttribute(new Float32Array(count), 1));
    this.mesh.geometry = geometry;
    this.mesh.visible = count > 0;
    this.count = count;
    this.nothing = new Float32Array(count);
  }

  // Arrays of one length; values may be null. An array that is there already is not sent again.
  set(x, y, z, radius, values) {
    if (x.length !== this.count) this.begin(x.length);
    [x, y, z, radius, values].forEach((array, k) => {
      const attribute = this.mesh.geometry.attributes[columns[k]], wanted = array && array.length === this.count ? array : this.nothing;
      if (attribute.array === wanted) return;
      attribute.array = wanted;
      attribute.needsUpdate = true;
    });
  }
}

export const noCut = new Vector4(0, 0, 0, 1);
