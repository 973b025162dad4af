/** Something to begin a page with. */
export interface Design {
  readonly designId: string;
  readonly label: string;
  readonly description: string;
  readonly category: string;
  readonly image: string;
}

/** A design with what a page begins with. */
export interface FullDesign extends Design {
  /** Block markup. */
  readonly content: string;
}
