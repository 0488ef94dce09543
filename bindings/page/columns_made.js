// Made by scripts/surface.sh from scripts/floc/surface: do not edit.

// Vectors: the names of their length and their components.
export const vectorNames = {
  velocity: ["speed", "vx", "vy", "vz"],
  force: ["force", "fx", "fy", "fz"],
};

export const dimensions = {
  speed: "L/T",
  vx: "L/T",
  vy: "L/T",
  vz: "L/T",
  force: "M L/T²",
  fx: "M L/T²",
  fy: "M L/T²",
  fz: "M L/T²",
  radius: "L",
  mass: "M",
};

// Of the menu.
export const order = ["speed", "vx", "vy", "vz", "force", "fx", "fy", "fz", "radius", "mass"];
