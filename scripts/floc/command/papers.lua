-- What `floc reproduce` runs: the papers, the examples of each with the parameters of both sizes, what a paper leaves
-- open, and its misprints: where, what is printed, what is meant, how that is known. Examples are named relative to the
-- folder of examples. `ensemble`: arguments at which `--ensembles` measures the bands of a run.

local papers = {}

papers.list = {
  {
    name = "aggregation",
    title = "Maury 2004: aggregation of particles that do not overlap",
    open = {
      "The domains are not printed. A square of side 1 for Fig. 1 and of side 2 for Figs. 2 to 4 give the figures' time scales.",
      "The time step of 4.2 is not printed, and the model depends on it, as attraction enters with its square root: 0.01 here.",
      "(3.5): the projection is in the mass metric.",
    },
    misprints = {
      { "2.1, after (2.7)", "tau_i = 6 pi r_i nu", "xi_i = 6 pi r_i nu, tau_i = m_i / xi_i", "6 pi r nu is a friction coefficient, no time" },
      { "(2.8), (2.9)", "kappa in both, so squared in the force", "kappa once",
        "with its square nothing aggregates: 949 clusters are left at t = 1.5, where the figure shows chains" },
    },
    runs = {
      { file = "aggregation/exact.lua", shows = "One disc, pairs, a crowd: exact values" },
      { file = "aggregation/shear.lua", shows = "Fig. 1: discs in an oscillating shear", ensemble = "" },
      { file = "aggregation/shear.lua", shows = "The same in space", quick = "--dimension=3", full = "--dimension=3", ensemble = "--dimension=3" },
      { file = "aggregation/noise.lua", shows = "Fig. 2: white noise, 500 discs", ensemble = "" },
      { file = "aggregation/noise.lua", shows = "Fig. 3: 2000 discs", quick = "--particles=2000", full = "--particles=2000",
        ensemble = "--particles=2000" },
      { file = "aggregation/noise.lua", shows = "Fig. 4: 5000 discs", full = "--particles=5000", full_only = true },
      { file = "aggregation/size_distribution.lua", shows = "Section 5: sizes against density and forcing",
        quick = "--particles=200 --seeds=2", full = "--seeds=5", ensemble = "--particles=200 --seeds=1" },
      { file = "aggregation/size_distribution.lua", shows = "The same in space", quick = "--dimension=3 --particles=200 --seeds=2",
        full = "--dimension=3 --particles=200 --seeds=20", ensemble = "--dimension=3 --particles=200 --seeds=1" },
      { file = "aggregation/kernels.lua", shows = "Section 5: collision kernels and Smoluchowski's equation", quick = "--seeds=4", full = "--seeds=40",
        ensemble = "--seeds=1" },
      { file = "aggregation/kernels.lua", shows = "The same in space", quick = "--dimension=3 --seeds=2", full = "--dimension=3 --seeds=20",
        ensemble = "--dimension=3 --seeds=1" },
      { file = "aggregation/noise_step.lua", shows = "Section 5: small steps under noise", full = "--seeds=20", ensemble = "--seeds=1" },
      { file = "aggregation/contact_distance.lua", shows = "Remark 4.1: how much depends on epsilon", full = "--seeds=4", ensemble = "" },
    },
  },
  {
    name = "gluey",
    title = "Lefebvre 2009: gluey particles",
    open = {
      "The values of Figs. 2, 3, 5 and 12 are not printed; m = 1, r = 1, q(0) = 1, u(0) = 0, f = -2, then +2 are the only ones that fit the text.",
      "Algorithm 3.3 asks equality for glued pairs and has no correction where one comes loose. Bounding the multiplier by gamma is that "
        .. "correction, and the default; the text as printed is gluey_rule = \"equality\".",
      "The thresholds of 4.2 and 4.3 make sense only without the radius factor of Remark 3.2.",
      "Sedimentation: no coordinates are printed; ours are in examples/gluey/README.md. So the numbers of grains are ours too.",
      "The fluid solver of 2.4 is a finite-element code; here Stokes drag from the exact series of Brenner takes its place.",
    },
    misprints = {},
    runs = {
      { file = "gluey/exact.lua", shows = "One particle, pairs, twelve discs: exact values" },
      { file = "gluey/plane.lua", shows = "Figs. 2, 3, 4, 5, 12: one particle above a plane" },
      { file = "gluey/coupling.lua", shows = "Figs. 7 to 10: coupling with a fluid solver" },
      { file = "gluey/billiard.lua", shows = "Fig. 15: gluey billiard" },
      { file = "gluey/lotto.lua", shows = "Fig. 16: gluey lotto", quick = "--seeds=3", full = "--seeds=20", ensemble = "" },
      { file = "gluey/dry_and_gluey.lua", shows = "Figs. 17, 18 in numbers: dry beside gluey, 300 grains", ensemble = "" },
      { file = "gluey/sedimentation.lua", shows = "Fig. 17: sedimentation, dry", quick = "--particles=1000" },
      { file = "gluey/sedimentation.lua", shows = "Figs. 17, 18: sedimentation, gluey", quick = "--model=gluey --particles=1000",
        full = "--model=gluey" },
      { file = "gluey/red_cells.lua", shows = "3.4: red cells as rigid assemblies", ensemble = "" },
      { file = "gluey/biconcave_cells.lua", shows = "3.4: red cells of their own shape, in space" },
    },
  },
  {
    name = "ballistic",
    title = "Degond, Dimarco, Ferreira, Hecht 2024: ballistic aggregation",
    open = {
      "(3.19) to (3.23) are read as a damped Arrow-Hurwicz iteration whose steady state satisfies the constraints; see examples/ballistic/README.md.",
      "(4.13) read literally counts the particle itself, which gives the paper's \"around 0.5\"; ours leaves it out.",
      "The fractal dimension depends on the range of box sizes, which is not printed: 3 R to half of the box. Values can be compared only at equal N and Vf.",
      "The paper finds time stepping the faster method; with an event queue that does not look at all pairs it is the slower one.",
    },
    misprints = {
      { "(2.3)", "primes on both sides", "no primes on the right", "the right side is before the collision" },
      { "(A.7)", "a wall is met after d / |V|", "d / |V_n|", "only the velocity along the wall's normal approaches it" },
      { "Fig. 12", "L = N", "L so that neighbours are a unit apart", "the same sentence asks for a distance of one unit" },
    },
    runs = {
      { file = "ballistic/exact.lua", shows = "One particle, pairs, known sets: exact values" },
      { file = "ballistic/calibration.lua", shows = "Fig. 9: sets of known dimension" },
      { file = "ballistic/shapes.lua", shows = "Figs. 7, 8, 10 to 17: shapes of the final cluster",
        quick = "--counts=100,400 --volume_fractions=0.1,0.2 --seeds=20", full = "--counts=100,400,900 --seeds=200" },
      { file = "ballistic/cost.lua", shows = "Tables of 4.2: cost", quick = "--counts=1000,4000,16000" },
      { file = "ballistic/million.lua", shows = "Fig. 12: on the way to one cluster", quick = "--particles=20000", full = "--particles=1000000",
        ensemble = "--particles=20000 --pictures=false" },
      { file = "ballistic/million.lua", shows = "Mean field: the dilute limit", quick = "--volume_fraction=0.005 --pictures=false", ensemble = "--volume_fraction=0.005 --pictures=false",
        full = "--volume_fraction=0.005 --particles=250000 --pictures=false" },
    },
  },
  {
    name = "acoustic",
    title = "Zohdi 2016: acoustic pulses on an agglomeration",
    open = {
      "The power: 7.06e13 is printed, the sentence beside it gives a hundredth of that. 58,000 to 62,000 reflections need the first, \"broken "
        .. "up after about 4 pulses\" the second; both are run.",
      "(7) is a force without a duration; ours acts for 1e-5 s, so that the impulse does not depend on the step.",
      "Friction and tangential bonds (20), (21), (26) contain the time step; ours contain a time of 1e-5 s.",
      "Bonds (25) act on overlapping particles only, and thus never hold anything; ours pull in tension.",
      "The paper says that results do not depend on the density of rays. Sums do not; the force on a single particle does.",
    },
    misprints = {
      { "3.1", "c_t sin(theta_t) = c_i sin(theta_i)", "c_i sin(theta_t) = c_t sin(theta_i)",
        "Snell's law; only so there is a critical angle for a faster medium, 19.4712 degrees" },
      { "(38)", "R(0) = 0.944, and 1 - R(0) = 0.056", "0.80055 and 0.19945", "((Z - 1) / (Z + 1))^2 with the ratio of impedances Z = 18; 0.944 is 17/18" },
      { "(40)", "M_2 is called the standard deviation", "the variance", "it is a mean of squares" },
      { "(61)", "R = (I_r / I_i)^2", "R = I_r / I_i", "the intensity is already the square of the amplitude" },
      { "7", "I_0 = 7.06e13 J", "W; and a hundredth of it by the sentence beside it", "150 MPa times 1500 m/s times the beam's area" },
    },
    runs = {
      { file = "acoustic/exact.lua", shows = "One ray, one sphere, pairs: exact values" },
      { file = "acoustic/agglomeration.lua", shows = "Section 7, the printed power", quick = "--preset=printed --seeds=2",
        full = "--preset=printed --seeds=20", ensemble = "--preset=printed --pictures=false" },
      { file = "acoustic/agglomeration.lua", shows = "Section 7, the power that the pressure gives", quick = "--preset=pressure --seeds=4",
        full = "--preset=pressure --seeds=20", ensemble = "--preset=pressure --pictures=false" },
      { file = "acoustic/bonded.lua", shows = "Figs. 1, 2: a bonded agglomerate", quick = "--seeds=2", full = "--seeds=20", ensemble = "--pictures=false" },
      { file = "acoustic/bonded.lua", shows = "Fig. 2: the same on a substrate", quick = "--place=substrate", full = "--place=substrate --seeds=8" },
      { file = "acoustic/rays_only.lua", shows = "Figs. 7, 8, 10: one pulse", quick = "--directions=50", full = "--directions=400",
        ensemble = "--directions=0 --pictures=false" },
      { file = "acoustic/convergence.lua", shows = "How many rays are enough", quick = "--reference=100000 --repeats=4" },
    },
  },
}

-- The paper of that name, or nil.
function papers.find(name)
  for _, paper in ipairs(papers.list) do
    if paper.name == name then return paper end
  end
end

function papers.names()
  local names = {}
  for k, paper in ipairs(papers.list) do names[k] = paper.name end
  return names
end

-- Arguments of a run at a size; nil where it has no part in it.
function papers.arguments(run, size)
  if run.full_only and size == "quick" then return nil end
  return run[size] or ""
end

return papers
