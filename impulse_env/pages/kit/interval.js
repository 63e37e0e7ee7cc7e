// How far a share may be from what was counted.

const Z_95 = 1.959964; // the quantile of impulse_training.rollout.intervals

/** Wilson's 95 % interval of a share. */
export function wilson(wins, games) {
  if (games === 0) return [0, 1];
  const share = wins / games;
  const spread = Z_95 ** 2 / games;
  const half = Z_95 * Math.sqrt((share * (1 - share)) / games + spread / (4 * games));
  const [low, high] = [-half, half].map((part) => (share + spread / 2 + part) / (1 + spread));
  return [Math.max(0, low), Math.min(1, high)]; // rounding alone leads past them, to "-0"
}
