export interface Design {
  readonly designId: string;
  readonly label: string;
  readonly description: string;
  readonly category: string;
  readonly image: string;
}

export interface FullDesign extends Design {
  readonly content: string;
}
