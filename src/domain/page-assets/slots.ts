/** What services generate for pages: critical CSS (`ccss`), used CSS (`ucss`), images in the initial viewport (`vpi`). */
export const assetKinds = ['ccss', 'ucss', 'vpi'] as const;
export type AssetKind = (typeof assetKinds)[number];

export const assetVariants = ['desktop', 'mobile'] as const;
export type AssetVariant = (typeof assetVariants)[number];
