/** What the pages use of the answers. The types of all of the interface come with `palimpsest/client`. */
export interface Block {
  readonly name: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly innerBlocks: readonly Block[];
  readonly rendered: string;
}

interface Text {
  readonly rendered: string;
}

export interface Named {
  readonly name: string;
  readonly link: string;
}

export interface Media {
  readonly id: number;
  readonly source_url: string;
  readonly alt_text: string;
  readonly media_details: { readonly width?: number; readonly height?: number };
}

export interface Entry {
  readonly id: number;
  readonly type: string;
  readonly title: Text;
  readonly link: string;
  readonly date: string;
  readonly excerpt?: Text;
  readonly content?: { readonly protected: boolean; readonly styles: string };
  /** Absent: a file, which has a description. */
  readonly blocks?: readonly Block[];
  readonly description?: Text;
  readonly _embedded?: {
    readonly author?: readonly Named[];
    readonly 'cms:term'?: readonly (readonly Named[])[];
    readonly 'cms:featuredmedia'?: readonly Media[];
  };
}

export interface MenuItem {
  readonly id: number;
  readonly parent: number;
  readonly url: string;
  readonly title: Text;
}

/** What is at an address. */
export interface Resolved {
  readonly type: 'item' | 'term' | 'author' | 'home';
  readonly url: string;
  readonly page: number;
  readonly redirect: string | null;
  readonly _links: Partial<Record<'item' | 'list', readonly [{ readonly href: string }]>>;
  readonly _embedded?: { readonly item?: readonly [Named] };
}

/** What every page has around its content. */
export interface Frame {
  readonly name: string;
  readonly description: string;
  readonly menu: readonly MenuItem[];
}
