// Contacts, bonds and rays of a frame as ends, widths and values of segments.

export const contactArrays = (group) => ["first", "second", "force", "gamma", "strain", "end_x", "end_y", "end_z"].map((name) => `${group}.${name}`);
export const rayArrays = ["x", "y", "z", "power", "direction.x", "direction.y", "direction.z"].map((name) => "rays." + name);

// `first` is a particle's id; `second` what leads from there to the other's, or 0 where the line ends at a point of its own.
export function contactEnds(arrays, group) {
  const first = arrays[group + ".first"], second = arrays[group + ".second"];
  const x = arrays["particles.x"], y = arrays["particles.y"], z = arrays["particles.z"], radius = arrays["particles.radius"];
  const count = first?.length ?? 0, ends = new Float32Array(6 * count), sizes = new Float32Array(count);
  let own = 0;
  for (let k = 0; k < count; k++) {
    const i = first[k] - 1, j = i + second[k];
    ends.set([x[i], y[i], z[i]], 6 * k);
    if (second[k] !== 0) {
      ends.set([x[j], y[j], z[j]], 6 * k + 3);
      sizes[k] = Math.min(radius[i], radius[j]);
    } else {
      ends.set(["x", "y", "z"].map((axis) => arrays[`${group}.end_${axis}`][own]), 6 * k + 3);
      sizes[k] = radius[i];
      own++;
    }
  }
  return { ends, sizes };
}

// Widths of tubes: the root of the fraction of the greatest value, as forces differ by powers of ten.
export function tubeWidths(sizes, values, greatest) {
  return sizes.map((size, k) => {
    const share = values && greatest > 0 ? Math.min(1, Math.abs(values[k]) / greatest) : 0.25;
    return size * (0.05 + 0.55 * Math.sqrt(share));
  });
}

// Rays in flight: from a little behind to where the ray is. Paths: as they are.
export function rayEnds(arrays, length) {
  const x = arrays["rays.x"], y = arrays["rays.y"], z = arrays["rays.z"];
  if (!x) return { ends: new Float32Array(0), flying: false };
  const [dx, dy, dz] = ["x", "y", "z"].map((axis) => arrays["rays.direction." + axis]), flying = Boolean(dx);
  const count = flying ? x.length : x.length >> 1, ends = new Float32Array(6 * count);
  for (let k = 0; k < count; k++) {
    if (flying) ends.set([x[k] - length * dx[k], y[k] - length * dy[k], z[k] - length * dz[k], x[k], y[k], z[k]], 6 * k);
    else ends.set([x[2 * k], y[2 * k], z[2 * k], x[2 * k + 1], y[2 * k + 1], z[2 * k + 1]], 6 * k);
  }
  return { ends, flying };
}
