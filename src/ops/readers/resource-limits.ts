/** Bounds of a thread that has a reader. */
export const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 2048 };
