import type { FullDesign } from './design.ts';

const heading = (text: string, level = 2) =>
  `<!-- wp:heading {"level":${level}} -->\n<h${level} class="wp-block-heading">${text}</h${level}>\n<!-- /wp:heading -->`;
const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;
const button = (text: string) =>
  `<!-- wp:buttons -->\n<div class="wp-block-buttons"><!-- wp:button -->\n<div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="#">${text}</a></div>\n<!-- /wp:button --></div>\n<!-- /wp:buttons -->`;
const column = (...blocks: readonly string[]) =>
  `<!-- wp:column -->\n<div class="wp-block-column">${blocks.join('\n\n')}</div>\n<!-- /wp:column -->`;
const columns = (...each: readonly string[]) =>
  `<!-- wp:columns -->\n<div class="wp-block-columns">${each.join('\n\n')}</div>\n<!-- /wp:columns -->`;
const group = (...blocks: readonly string[]) =>
  `<!-- wp:group {"layout":{"type":"constrained"}} -->\n<div class="wp-block-group">${blocks.join('\n\n')}</div>\n<!-- /wp:group -->`;

/** Built-in designs. */
export const bundledDesigns: readonly FullDesign[] = [
  {
    designId: 'hero-1',
    label: 'Hero',
    description: 'A large title, a sentence and a button.',
    category: 'Hero',
    image: '',
    content: group(heading('Say it in one line', 1), paragraph('One sentence on what this is about.'), button('Begin')),
  },
  {
    designId: 'features-1',
    label: 'Three features',
    description: 'Three columns with a title and a few words each.',
    category: 'Features',
    image: '',
    content: columns(
      ...['First', 'Second', 'Third'].map((name) => column(heading(name, 3), paragraph('What is good about it.'))),
    ),
  },
  {
    designId: 'pricing-1',
    label: 'Prices',
    description: 'Two offers side by side.',
    category: 'Pricing',
    image: '',
    content: columns(
      ...['Small', 'Large'].map((name) => column(heading(name, 3), paragraph('What belongs to it.'), button('Choose'))),
    ),
  },
  {
    designId: 'team-1',
    label: 'Team',
    description: 'Two people with what they do.',
    category: 'Team',
    image: '',
    content: group(
      heading('Who we are'),
      columns(...['Name', 'Name'].map((name) => column(heading(name, 3), paragraph('What they do.')))),
    ),
  },
  {
    designId: 'call-to-action-1',
    label: 'Call to action',
    description: 'A question and a button.',
    category: 'Call to action',
    image: '',
    content: group(heading('Shall we talk?'), button('Get in touch')),
  },
];
