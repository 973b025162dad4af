import { describe, expect, it } from 'vitest';
import { blockVersion, renderContent, renderTitle, stripMarkup } from '../src/render.ts';
import { testRows, unchanged } from './rows.ts';

const content = (text: string): string => renderContent(text);

describe('a title', () => {
  testRows(
    [
      { name: 'has typography', input: '"a" -- it\'s...', output: '&#8220;a&#8221; &#8212; it&#8217;s&#8230;' },
      {
        name: 'has its ampersands escaped',
        input: 'a & b &amp; c &x; &#38;',
        output: 'a &#038; b &amp; c &#038;x; &#38;',
      },
      { name: 'loses blanks at its ends', input: ' \n a \t', output: 'a' },
      {
        name: 'keeps markup',
        input: '<b onclick="x">a</b><script>b</script>',
        output: '<b onclick="x">a</b><script>b</script>',
      },
      {
        name: 'has a name corrected',
        input: `my ${['Word', 'press'].join('')}`,
        output: `my ${['Word', 'Press'].join('')}`,
      },
    ],
    renderTitle,
  );
  testRows(unchanged({ 'has no smileys': 'a :)', 'has no paragraphs': 'a\n\nb', 'can be empty': '' }), renderTitle);
});

describe('a content', () => {
  testRows(
    [
      { name: 'has typography before its paragraphs', input: '"a\n\nb"', output: '<p>&#8220;a</p>\n<p>b&#8221;</p>\n' },
      { name: 'is nothing of an empty block that only ends', input: '<!-- /wp:p /-->', output: '' },
      { name: 'keeps what is beside one', input: 'a\n\n<!-- /wp:p /-->\n\nb', output: '<p>a</p>\n<p>b</p>\n' },
      { name: 'has smileys', input: 'a :)\n:(', output: '<p>a 🙂<br />\n🙁</p>\n' },
      { name: 'is nothing of blanks', input: ' \n ', output: '' },
      {
        name: 'keeps scripts of those who may use them',
        input: '<script>"a" && b</script>',
        output: '<p><script>"a" && b</script></p>\n',
      },
      {
        name: 'keeps a mark and a page break',
        input: 'a<!--more-->b\n\n<!--nextpage-->',
        output: '<p>a<!--more-->b</p>\n<p><!--nextpage--></p>\n',
      },
      {
        name: 'has a name corrected at the start of words',
        input: ` ${['Word', 'press'].join('')} x.example/${['Word', 'press'].join('')}`,
        output: `<p> ${['Word', 'Press'].join('')} x.example/${['Word', 'press'].join('')}</p>\n`,
      },
    ],
    content,
  );
});

describe('the loading of', () => {
  testRows(
    [
      { name: 'images is put off the page', input: '<img src="a">', output: '<p><img decoding="async" src="a"></p>\n' },
      {
        name: 'images of a known size waits',
        input: '<img src="a" width="1" height="2" />',
        output: '<p><img loading="lazy" decoding="async" src="a" width="1" height="2" /></p>\n',
      },
      {
        name: 'urgent images does not wait',
        input: '<img src="a" width="1" height="2" fetchpriority="high">',
        output: '<p><img decoding="async" src="a" width="1" height="2" fetchpriority="high"></p>\n',
      },
      {
        name: 'lazy images lets the browser choose',
        input: '<img src="a" width="1" height="2" sizes="50vw">',
        output: '<p><img loading="lazy" decoding="async" src="a" width="1" height="2" sizes="auto, 50vw"></p>\n',
      },
      {
        name: 'frames of a known size waits',
        input: '<iframe src="a" width="1" height="2"></iframe>',
        output: '<p><iframe loading="lazy" src="a" width="1" height="2"></iframe></p>\n',
      },
    ],
    content,
  );
  testRows(
    [
      '<img decoding="sync" src="a">',
      '<img decoding="async" loading="eager" src="a" width="1" height="2">',
      "<img src='a'>",
      '<img alt="a">',
      '<IMG src="a">',
      '<iframe src="a"></iframe>',
    ].map((html) => ({ name: `${html} stays`, input: html, output: `<p>${html}</p>\n` })),
    content,
  );
});

describe('the block version', () => {
  it('is 1 for a text with block markup', () => {
    expect([blockVersion('a'), blockVersion('<!-- more -->'), blockVersion('a <!-- wp:b /-->')]).toEqual([0, 0, 1]);
  });
});

describe('plain text', () => {
  testRows(
    [
      { name: 'has no tags', input: '<p class="a">b <i>c</i></p>', output: 'b c' },
      {
        name: 'has no scripts and style sheets',
        input: 'a<script type="x">b</script>c<STYLE>d</STYLE>e',
        output: 'ace',
      },
      { name: 'keeps the content of a script that never ends', input: 'a<script>b', output: 'ab' },
      { name: 'has no comments and declarations', input: 'a<!-- b > c -->d<!doctype x>e<?php f > ?>g', output: 'adeg' },
      { name: 'keeps a bracket before a blank', input: 'a < b', output: 'a < b' },
      { name: 'ends at a bracket that is not closed', input: 'a <b', output: 'a' },
      { name: 'takes quotation marks for part of a tag', input: '<a title="b>c">d</a>', output: 'd' },
      { name: 'counts brackets inside a tag', input: '<a <b>c>d', output: 'd' },
      { name: 'has no blanks at its ends', input: ' \n<b> a </b>\t', output: 'a' },
    ],
    stripMarkup,
  );
});
