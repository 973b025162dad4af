/** What the pages use of the answers. The types of all of the interface come with `palimpsest/client`. */
export interface Block {
  name: string | null;
  attributes: Record<string, unknown>;
  innerBlocks: Block[];
  rendered: string;
}

type Text = { rendered: string };
export type Named = { name: string; link: string };
export type MenuItem = { id: number; parent: number; url: string; title: Text };
/** What every page has around its content. */
export type Frame = { name: string; description: string; menu: MenuItem[] };

export interface Media {
  id: number;
  source_url: string;
  alt_text: string;
  media_details: { width?: number; height?: number };
}

export interface Entry {
  id: number;
  type: string;
  title: Text;
  link: string;
  date: string;
  excerpt?: Text;
  content?: { protected: boolean; styles: string };
  /** Absent: a file, which has a description. */
  blocks?: Block[];
  description?: Text;
  _embedded?: { author?: Named[]; 'cms:term'?: Named[][]; 'cms:featuredmedia'?: Media[] };
}

/** What is at an address. */
export interface Resolved {
  type: 'item' | 'term' | 'author' | 'home';
  url: string;
  page: number;
  redirect: string | null;
  _links: { item?: [{ href: string }]; list?: [{ href: string }] };
  _embedded?: { item?: [Named] };
}
