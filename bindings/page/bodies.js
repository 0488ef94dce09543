// Bodies: lines and polygons of the frame. Polygons become triangles; of shapes of few faces (plates, boxes) one sees through
// the faces and sees the edges, those of many faces (balls, bars, meshes) are solid.
import { BufferAttribute, BufferGeometry, DoubleSide, GLSL3, Group, Mesh, ShaderMaterial } from "three";
import { Segments } from "./segments.js";

const fewFaces = 24;
export const bodyArrays = ["x", "y", "z", "lines", "lines_ends", "polygons", "polygons_ends", "body", "shape", "thickness"].map((n) => "bodies." + n);

const vertexShader = `
in vec3 facing;
out vec3 seen;
out vec3 place;
out vec3 turned;
void main() {
  turned = mat3(modelViewMatrix) * facing;
  vec4 eye = modelViewMatrix * vec4(position, 1.0);
  seen = eye.xyz;
  place = position;
  gl_Position = projectionMatrix * eye;
}`;

const fragmentShader = `
in vec3 seen, place, turned;
uniform vec3 plain;
uniform float opacity, lit;
uniform vec4 cut;
out vec4 shown;
void main() {
  if (dot(cut.xyz, place) > cut.w) discard;
  vec3 normal = dot(turned, turned) > 0.01 ? normalize(turned) : normalize(cross(dFdx(seen), dFdy(seen)));
  float light = mix(1.0, 0.55 + 0.45 * abs(dot(normal, normalize(vec3(-0.35, 0.5, 0.8)))), lit);
  shown = vec4(plain * light, opacity);
}`;

function faceMaterial(shared, dimension, opacity) {
  return new ShaderMaterial({
    glslVersion: GLSL3, vertexShader, fragmentShader, side: DoubleSide, transparent: opacity < 1,
    depthTest: dimension === 3, depthWrite: dimension === 3 && opacity === 1,
    uniforms: { plain: { value: dimension === 3 ? [0.62, 0.65, 0.69] : [0.83, 0.84, 0.86] }, opacity: { value: opacity },
      lit: { value: dimension === 3 ? 1 : 0 }, cut: shared.cut },
  });
}

// Cells as lists of point numbers.
function cellsOf(corners, ends) {
  const cells = [];
  let begin = 0;
  for (const end of ends ?? []) {
    cells.push(corners.subarray(begin, end));
    begin = end;
  }
  return cells;
}

function trianglesOf(cells, point) {
  const numbers = [];
  for (const cell of cells) {
    for (let k = 1; k + 1 < cell.length; k++) numbers.push(...point(cell[0]), ...point(cell[k]), ...point(cell[k + 1]));
  }
  return new Float32Array(numbers);
}

function normalOf([ax, ay, az], [bx, by, bz], [cx, cy, cz]) {
  const u = [bx - ax, by - ay, bz - az], v = [cx - ax, cy - ay, cz - az];
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n) || 1;
  return n.map((value) => value / length);
}

// Mean normals of the faces around each point, so that balls look round; points are shared within a shape.
function roundNormals(cells, point) {
  const sums = new Map(), numbers = [];
  for (const cell of cells) {
    const normal = normalOf(point(cell[0]), point(cell[1]), point(cell[2 % cell.length]));
    for (const corner of cell) {
      const sum = sums.get(corner) ?? sums.set(corner, [0, 0, 0]).get(corner);
      normal.forEach((value, axis) => { sum[axis] += value; });
    }
  }
  for (const cell of cells) {
    for (let k = 1; k + 1 < cell.length; k++) for (const corner of [cell[0], cell[k], cell[k + 1]]) numbers.push(...sums.get(corner));
  }
  return new Float32Array(numbers);
}

// Edges of polygons, but for those between two faces of one plane.
function edgesOf(cells, point) {
  const edges = new Map();
  for (const cell of cells) {
    const normal = normalOf(point(cell[0]), point(cell[1]), point(cell[2 % cell.length]));
    for (let k = 0; k < cell.length; k++) {
      const a = point(cell[k]), b = point(cell[(k + 1) % cell.length]);
      const names = [a, b].map((p) => p.map((value) => value.toFixed(6)).join(" ")).sort();
      const name = names.join("|"), known = edges.get(name);
      if (!known) edges.set(name, { ends: [...a, ...b], normal, drawn: true });
      else known.drawn = known.drawn && Math.abs(known.normal.reduce((sum, value, axis) => sum + value * normal[axis], 0)) < 0.999;
    }
  }
  return [...edges.values()].filter((edge) => edge.drawn).flatMap((edge) => edge.ends);
}

export class Bodies {
  constructor(dimension, shared) {
    this.dimension = dimension;
    this.group = new Group();
    this.solid = new Mesh(new BufferGeometry(), faceMaterial(shared, dimension, 1));
    this.clear = new Mesh(new BufferGeometry(), faceMaterial(shared, dimension, dimension === 3 ? 0.12 : 1));
    this.edges = new Segments(shared, { least: dimension === 3 ? 1.2 : 1.5, colour: [0.42, 0.44, 0.47], depthTest: dimension === 3 });
    this.lines = new Segments(shared, { least: 2.5, colour: [0.3, 0.32, 0.35], depthTest: dimension === 3 });
    this.clear.renderOrder = 3;
    for (const mesh of [this.solid, this.clear]) mesh.frustumCulled = false;
    this.group.add(this.solid, this.clear, this.edges.mesh, this.lines.mesh);
    this.shown = [];
  }

  set(arrays) {
    const wanted = bodyArrays.map((name) => arrays[name]);
    if (wanted.every((array, k) => array === this.shown[k])) return;
    this.shown = wanted;
    const [x, y, z, lines, lineEnds, polygons, polygonEnds, body, shape, thickness] = wanted;
    if (!x) return this.empty();
    const point = (k) => [x[k], y[k], z[k]];
    const lineCells = cellsOf(lines, lineEnds), faces = cellsOf(polygons, polygonEnds);
    this.setLines(lineCells, point, thickness);
    const counts = new Map(), owner = (k) => (body ? body[k + lineCells.length] + " " + shape?.[k + lineCells.length] : "");
    faces.forEach((_, k) => counts.set(owner(k), (counts.get(owner(k)) ?? 0) + 1));
    const few = faces.filter((_, k) => counts.get(owner(k)) <= fewFaces), many = faces.filter((_, k) => counts.get(owner(k)) > fewFaces);
    this.setFaces(this.solid, many, point);
    this.setFaces(this.clear, few, point);
    this.edges.set(edgesOf(few, point));
  }

  empty() {
    for (const part of [this.solid, this.clear, this.edges.mesh, this.lines.mesh]) part.visible = false;
  }

  setLines(cells, point, thickness) {
    const ends = [], widths = [];
    cells.forEach((cell, c) => {
      for (let k = 0; k + 1 < cell.length; k++) {
        ends.push(...point(cell[k]), ...point(cell[k + 1]));
        widths.push(thickness?.[c] ?? 0);
      }
    });
    this.lines.set(ends, new Float32Array(widths));
  }

  setFaces(mesh, cells, point) {
    const triangles = trianglesOf(cells, point);
    mesh.geometry.dispose();
    mesh.geometry = new BufferGeometry();
    mesh.geometry.setAttribute("position", new BufferAttribute(triangles, 3));
    mesh.geometry.setAttribute("facing", new BufferAttribute(mesh === this.solid ? roundNormals(cells, point) : new Float32Array(triangles.length), 3));
    mesh.visible = triangles.length > 0;
  }
}
