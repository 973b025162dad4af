// These packages have no types of their own.
declare module '@wordpress/edit-post' {
  export function initializeEditor(
    element: string,
    type: string,
    id: number,
    settings: Readonly<Record<string, unknown>>,
    edits: Readonly<Record<string, unknown>>,
  ): void;
}
declare module '@wordpress/format-library';
