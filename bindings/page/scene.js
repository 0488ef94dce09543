// What is drawn: particles, bodies, contacts, bonds, rays; the camera; the cut; pictures. Nothing is drawn until something
// has changed.
import { Color, OrthographicCamera, Scene as ThreeScene, Vector3, Vector4, WebGLRenderer, MOUSE, TOUCH } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Bodies } from "./bodies.js";
import { Grains } from "./grains.js";
import { contactEnds, rayEnds, tubeWidths } from "./lines.js";
import { Segments } from "./segments.js";
import { Spheres, setTone } from "./spheres.js";

const noCut = [0, 0, 0, 1];

export class Scene {
  // most: the greatest number of particles, to leave out smooth edges where they would cost too much
  // view: from where the eye looks, what is upwards, and what is where it looks along that (scripts/floc/simulation/up.lua)
  constructor(canvas, { dimension, box, most, camera: view }, onView) {
    this.canvas = canvas;
    this.dimension = dimension;
    this.most = most;
    this.view = dimension === 2 ? { eye: [0, 0, 1], up: [0, 1, 0] } : view;
    this.onView = onView;
    this.shared = { cut: { value: new Vector4(...noCut) }, pixel: { value: 1 } };
    this.renderer = new WebGLRenderer({ canvas, antialias: dimension === 3 && most < 20000, preserveDrawingBuffer: false, powerPreference: "high-performance" });
    this.renderer.setClearColor(new Color(0xffffff), 1);
    this.scene = new ThreeScene();
    this.camera = new OrthographicCamera(-1, 1, 1, -1, -1, 1);
    this.makeParts();
    this.makeControls();
    this.fit(box);
    this.watchSize();
  }

  makeParts() {
    const flat = this.dimension === 2, tube = { round: 1, lift: flat ? 0 : 1, depthTest: !flat };
    this.spheres = new Spheres(this.dimension, this.shared);
    this.grains = new Grains(this.spheres.uniforms);
    this.bodies = new Bodies(this.dimension, this.shared);
    this.contacts = new Segments(this.shared, { ...tube, least: 0.8 });
    this.bonds = new Segments(this.shared, { ...tube, least: 1, colour: [0.25, 0.25, 0.28] });
    this.rays = new Segments(this.shared, { least: 1.3, taper: 1, opacity: 0.75, colour: [0.85, 0.35, 0.1] });
    for (const [order, mesh] of [this.spheres.mesh, this.grains.group, this.contacts.mesh, this.bonds.mesh, this.bodies.group, this.rays.mesh].entries()) {
      if (flat) mesh.renderOrder = order;
      mesh.traverse((one) => { if (flat) one.renderOrder = order; });
      this.scene.add(mesh);
    }
  }

  makeControls() {
    this.camera.up.set(...this.view.up); // the controls turn about what is upwards when they are made
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.zoomToCursor = true;
    this.controls.screenSpacePanning = true;
    if (this.dimension === 2) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener("change", () => this.invalidate());
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.onView({ lost: true });
    });
  }

  watchSize() {
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    this.resize();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.most < 200000 ? 2 : 1));
    this.renderer.setSize(Math.max(1, clientWidth), Math.max(1, clientHeight), false);
    this.frameCamera();
  }

  // ---- the camera --------------------------------------------------------------------------------

  // box: { lower, upper } of what is to be seen; direction: where the eye looks from.
  fit(box, direction) {
    this.box = box;
    const centre = box.lower.map((value, axis) => 0.5 * (value + box.upper[axis]));
    const size = box.upper.map((value, axis) => value - box.lower[axis]);
    this.radius = 0.5 * Math.hypot(...size) || 1;
    const { eye, up, behind } = this.view, look = direction ?? eye;
    const along = Math.abs(new Vector3(...look).normalize().dot(new Vector3(...up).normalize())) > 0.99;
    this.camera.up.set(...(along ? behind : up));
    this.camera.position.set(...centre).addScaledVector(new Vector3(...look).normalize(), 20 * this.radius);
    this.camera.near = 0.01 * this.radius;
    this.camera.far = 60 * this.radius;
    this.controls.target.set(...centre);
    this.camera.zoom = 1;
    this.camera.lookAt(...centre);
    this.seen = this.extent(size);
    this.controls.update();
    this.frameCamera();
  }

  // Half width and half height of the box as the eye sees it, with a margin around.
  extent(size) {
    this.camera.updateMatrixWorld();
    const half = [0, 0];
    for (let corner = 0; corner < 8; corner++) {
      const point = new Vector3(...size.map((value, axis) => (corner >> axis & 1 ? 0.5 : -0.5) * value))
        .applyQuaternion(this.camera.quaternion.clone().invert());
      half[0] = Math.max(half[0], Math.abs(point.x));
      half[1] = Math.max(half[1], Math.abs(point.y));
    }
    return half.map((value) => 1.06 * value || 1);
  }

  frameCamera() {
    if (!this.seen) return;
    const { width, height } = this.renderer.domElement, aspect = width / height;
    const half = Math.max(this.seen[1], this.seen[0] / aspect);
    Object.assign(this.camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  // Length of the world that a pixel of the page is wide.
  pixelLength() {
    return (this.camera.right - this.camera.left) / this.camera.zoom / Math.max(1, this.canvas.clientWidth);
  }

  // ---- what is shown -----------------------------------------------------------------------------

  // look: { value, scale, contacts: { on, column, scale, greatest }, bonds, rays, bodies }
  setFrame(frame, look) {
    const arrays = frame.arrays;
    if (arrays["particles.x"]) {
      this.grains.set(arrays, look.value);
      this.spheres.set(arrays["particles.x"], arrays["particles.y"], arrays["particles.z"], this.grains.roundOnly(arrays), look.value);
      setTone(this.spheres.uniforms, look.scale);
    }
    this.spheres.mesh.visible = this.grains.group.visible = look.particles && frame.count > 0;
    this.bodies.set(arrays);
    this.bodies.group.visible = look.bodies;
    this.setTubes(this.contacts, arrays, "contacts", look.contacts);
    this.setTubes(this.bonds, arrays, "bonds", look.bonds);
    this.setRays(arrays, look.rays);
    this.invalidate();
  }

  setTubes(part, arrays, group, look) {
    if (!look.on || !arrays[group + ".first"] || !arrays["particles.x"]) return part.clear();
    const values = look.column ? arrays[`${group}.${look.column}`] : null;
    const { ends, sizes } = contactEnds(arrays, group);
    part.set(ends, tubeWidths(sizes, values, look.greatest), values ?? 0);
    setTone(part.uniforms, values ? look.scale : null);
  }

  setRays(arrays, look) {
    if (!look.on || !arrays["rays.x"]) return this.rays.clear();
    const { ends, flying } = rayEnds(arrays, 0.05 * this.radius);
    this.rays.set(ends, 0, arrays["rays.power"] ?? 0);
    this.rays.uniforms.taper.value = flying ? 1 : 0;
    setTone(this.rays.uniforms, look.scale);
  }

  // plane: { normal: [x, y, z], offset }, or null.
  setCut(plane) {
    this.shared.cut.value.set(...(plane ? [...plane.normal, plane.offset] : noCut));
    this.invalidate();
  }

  setOpacity(value) {
    this.bodies.clear.material.uniforms.opacity.value = value;
    this.invalidate();
  }

  // ---- drawing -----------------------------------------------------------------------------------

  invalidate() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    this.shared.pixel.value = this.pixelLength() / this.renderer.getPixelRatio();
    this.spheres.prepare(this.shared.pixel.value);
    this.renderer.render(this.scene, this.camera);
    this.onView({ pixelLength: this.pixelLength(), camera: this.camera });
  }

  // The picture as a canvas that can be drawn from, in the pixels of the screen.
  snapshot() {
    this.draw();
    const copy = document.createElement("canvas");
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    copy.getContext("2d").drawImage(this.canvas, 0, 0);
    return copy;
  }
}
