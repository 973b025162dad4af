export * from './checkpoint.ts';
export * from './cosignature.ts';
export * from './ml-dsa.ts';
export * from './note.ts';
export * from './policy.ts';
export * from './tiles.ts';
export * from './tree.ts';
export * from './witness.ts';
