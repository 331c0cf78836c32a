/**
 * How many runs of an account may be in progress at a time: fewer after a warning from the host, then slowly more again. Pure: every
 * function returns a new value.
 */
export interface AdaptiveBound {
  /** The upper limit of the bound. */
  readonly max: number;
  readonly bound: number;
  /** How often the bound was halved. Runs that began before the last halving do not change the bound. */
  readonly generation: number;
  /** Runs of this generation in a row that ended well since the bound last changed. */
  readonly calm: number;
}

export function fullBound(max: number): AdaptiveBound {
  return { max, bound: max, generation: 0, calm: 0 };
}

/** Changes the maximum. A bound at its old maximum rises with it; a lowered bound has to grow. */
export function withMax(state: AdaptiveBound, max: number): AdaptiveBound {
  if (max === state.max) return state;
  const bound = state.bound === state.max ? max : Math.min(state.bound, max);
  return { ...state, max, bound, calm: 0 };
}

/** Halves the bound, to one at least, because the host warned a run that began under `generation`. A generation is halved once. */
export function warn(state: AdaptiveBound, generation: number): AdaptiveBound {
  if (generation !== state.generation) return state;
  return { ...state, bound: Math.max(1, Math.floor(state.bound / 2)), generation: generation + 1, calm: 0 };
}

/**
 * Counts a run that began under `generation` and ended well. Once the number of such runs in a row reaches the bound, raises the bound by
 * one.
 */
export function endWell(state: AdaptiveBound, generation: number): AdaptiveBound {
  if (generation !== state.generation || state.bound === state.max) return state;
  const calm = state.calm + 1;
  return calm < state.bound ? { ...state, calm } : { ...state, bound: state.bound + 1, calm: 0 };
}
