/*
 * Dense disordered packings: particles that were put anywhere are moved until none overlaps.
 *
 * Balls with harmonic repulsion, E = 1/2 sum (overlap)^2, are relaxed to a minimum of the energy (O'Hern, Silbert,
 * Liu, Nagel 2003): below a fraction near 0.64 of spheres, and 0.842 of discs of two sizes, that minimum is 0, and
 * the balls then overlap nowhere. Radii are longer by the share MARGIN while it is looked for, so that energies
 * that only tend to 0 end without any overlap of the true radii.
 *
 * Close to that fraction a minimum is found that is not 0. Then all radii grow by the share EXCESS for some
 * iterations and shrink again: over-compression moves balls past each other, and the next minimum is lower or
 * reached sooner (how jamming depends on such cycles: Kumar, Luding 2016). The first relaxation begins with it too.
 * Of 500 discs of radii 1 and 1.4 at 0.84, half jam without a cycle, and none was seen that did with three.
 */
#ifndef FLOC_SCHEMES_PACKING_PACKING_H
#define FLOC_SCHEMES_PACKING_PACKING_H

#include "base/domain.h"
#include "geometry/bodies.h"
#include "particles/particles.h"

/* Moves the particles from slot `first` on until none overlaps another, a body or the edge of the region; those
 * before stay. options: of their insertion (region, clearance). The result is a function of positions, radii and
 * options alone. FLOC_NO_ROOM with the greatest fraction that was reached; positions are then anything. */
floc_status packing_run(environment *env, particles *table, int64_t first, const bodies *obstacles,
                        const domain *box, const floc_insertion_options *options);

#endif
