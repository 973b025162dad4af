/** What services make for pages: critical styles, used styles, images that are seen at first. */
export const assetKinds = ['ccss', 'ucss', 'vpi'] as const;
export type AssetKind = (typeof assetKinds)[number];

export const assetVariants = ['desktop', 'mobile'] as const;
export type AssetVariant = (typeof assetVariants)[number];
