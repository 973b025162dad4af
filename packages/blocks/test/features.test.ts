import { describe, expect, it } from 'vitest';
import { blockTypes } from '../src/block-types/all.ts';
import { Counters } from '../src/counters.ts';
import { type JsonMap, parseJson } from '../src/ordered-json.ts';
import { renderBlocks } from '../src/render-blocks.ts';
import { partAttributes, wrapperAttributes } from '../src/supports/wrapper.ts';
import { classesOf, everyFeature, featuresOf, probed, stylesOf } from './probes.ts';

const types = [...blockTypes.values()];
const attributes = (value: object): JsonMap => parseJson(JSON.stringify(value)) as JsonMap;
const writtenIn = (text: string, name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '';
const classesIn = (text: string): string[] => writtenIn(text, 'class').split(' ');

describe.each(types.map((type) => [type.name, type] as const))('%s', (name, type) => {
  const shown = everyFeature.filter((feature) => type.features.has(feature) && !type.own.has(feature));

  it('shows what it supports and nothing else, in the order of the table', () => {
    const text = wrapperAttributes(name, attributes(probed(everyFeature)));
    expect(writtenIn(text, 'style')).toBe(stylesOf(shown).join(';'));
    expect(classesIn(text).filter((one) => one.startsWith('has-'))).toEqual(classesOf(shown));
    expect(text.includes('id="')).toBe(type.features.has('anchor'));
    expect(classesIn(text).includes('alignwide')).toBe(type.features.has('align'));
  });

  it('shows itself what its outer element leaves to it', () => {
    const own = everyFeature.filter((feature) => type.own.has(feature));
    const { style, classes } = partAttributes(name, attributes(probed(everyFeature)));
    expect(new Set(style.split(';').filter((one) => one !== ''))).toEqual(new Set(stylesOf(own)));
    expect(new Set(classes)).toEqual(new Set(classesOf(own)));
  });

  it('makes no classes or styles of what names no value of the site', () => {
    const named = everyFeature.filter((feature) => feature !== 'typography.textAlign');
    const given = attributes(probed(named, () => 'var:custom|nosuch'));
    const text = wrapperAttributes(name, given) + JSON.stringify(partAttributes(name, given));
    expect(text).not.toContain('nosuch');
    expect(text).not.toContain('var:');
  });

  it('marks colours of the site and others alike', () => {
    const own = attributes({ style: { color: { text: 'var:custom|nosuch' } } });
    const preset = attributes({ textColor: 'nosuch' });
    const isShown = shown.includes('color.text');
    const marks = (given: JsonMap) => classesIn(wrapperAttributes(name, given)).filter((one) => one.startsWith('has-'));
    expect(marks(own)).toEqual(isShown ? ['has-text-color'] : []);
    expect(marks(preset)).toEqual(isShown ? ['has-text-color', 'has-nosuch-color'] : []);
  });

  it('has one class for the colours of its elements, and at most one for that of links', () => {
    const given = attributes({ style: { elements: { link: { color: { text: 'red' } } } } });
    const ofLinks = classesIn(wrapperAttributes(name, given)).filter((one) => one === 'has-link-color');
    expect(ofLinks).toHaveLength(type.marks.has('link') && !type.own.has('color.text') ? 1 : 0);
    if (type.markup === 'made') return;
    const text = `<!-- wp:${name} {"style":{"elements":{"link":{"color":{"text":"red"}}}}} --><p>a</p><!-- /wp:${name} -->`;
    const html = renderBlocks(text, { footnotes: '', counters: new Counters() });
    expect(html.match(/wp-elements-\d/g) ?? []).toHaveLength(html === '' || type.own.has('color') ? 0 : 1);
  });
});

describe('the features of a block', () => {
  it('are among those that are tried here, or have an effect of another kind', () => {
    const tried = new Set(everyFeature);
    const others = new Set([...featuresOf(types)].filter((feature) => !tried.has(feature)));
    expect([...others].map((feature) => feature.split('.')[0]).filter((group) => group === 'border')).toEqual([]);
    expect([...others].filter((feature) => feature.startsWith('spacing.'))).toEqual(['spacing.blockGap']);
    expect([...others].filter((feature) => feature.startsWith('color.')).sort()).toEqual([
      ...['color.button', 'color.heading', 'color.link'],
    ]);
  });
});

describe('an own style of a block', () => {
  it('comes after what its attributes show', () => {
    const given = attributes({ style: { spacing: { padding: '10px' } } });
    const own = { style: '--separator: "/"' };
    expect(wrapperAttributes('core/breadcrumbs', given, own)).toMatch(
      /^style="padding:10px;--separator: &quot;\/&quot;"/,
    );
  });
});

describe('a side of a border', () => {
  const given = attributes({ style: { border: { top: { width: '1px', color: 'red', style: 'solid' } } } });

  it('has its width first on outer elements, but its colour first on parts', () => {
    expect(writtenIn(wrapperAttributes('core/post-title', given), 'style')).toBe(
      'border-top-width:1px;border-top-color:red;border-top-style:solid',
    );
    expect(partAttributes('core/avatar', given).style).toBe(
      'border-top-color:red;border-top-style:solid;border-top-width:1px',
    );
  });
});
