import type { DescribedType } from '#domain/entry/content-type.ts';

/** Allowed uploads, by file name extension. Nothing that a browser would execute: no markup, no scripts. */

const TABLE = `
image/jpeg jpg jpeg jpe
image/png png
image/gif gif
image/webp webp
image/avif avif
image/bmp bmp
image/tiff tif tiff
image/x-icon ico
image/heic heic
image/heif heif
image/heic-sequence heics
image/heif-sequence heifs
video/x-ms-asf asf asx
video/x-ms-wmv wmv
video/x-ms-wm wm
video/avi avi
video/divx divx
video/x-flv flv
video/quicktime mov qt
video/mpeg mpeg mpg mpe
video/mp4 mp4 m4v
video/ogg ogv
video/webm webm
video/x-matroska mkv
video/3gpp 3gp 3gpp
video/3gpp2 3g2 3gp2
audio/mpeg mp3 m4a m4b
audio/aac aac
audio/x-realaudio ra ram
audio/wav wav
audio/ogg ogg oga
audio/flac flac
audio/midi mid midi
audio/x-ms-wma wma
audio/x-matroska mka
text/plain txt asc c cc h srt
text/csv csv
text/tab-separated-values tsv
text/calendar ics
text/richtext rtx
text/css css
text/vtt vtt
application/rtf rtf
application/pdf pdf
application/x-tar tar
application/zip zip
application/x-gzip gz gzip
application/rar rar
application/x-7z-compressed 7z
application/octet-stream psd xcf
application/msword doc
application/vnd.ms-powerpoint pot pps ppt
application/vnd.ms-excel xla xls xlt xlw
application/vnd.ms-access mdb
application/vnd.ms-project mpp
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/vnd.ms-word.document.macroEnabled.12 docm
application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.ms-excel.sheet.macroEnabled.12 xlsm
application/vnd.ms-excel.sheet.binary.macroEnabled.12 xlsb
application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.ms-powerpoint.presentation.macroEnabled.12 pptm
application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
application/vnd.openxmlformats-officedocument.presentationml.template potx
application/oxps oxps
application/vnd.ms-xpsdocument xps
application/vnd.oasis.opendocument.text odt
application/vnd.oasis.opendocument.presentation odp
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.oasis.opendocument.graphics odg
application/vnd.oasis.opendocument.chart odc
application/vnd.oasis.opendocument.database odb
application/vnd.oasis.opendocument.formula odf
application/vnd.apple.keynote key
application/vnd.apple.numbers numbers
application/vnd.apple.pages pages
`;

const rows = TABLE.trim()
  .split('\n')
  .map((row) => row.split(' '));

const endings = new Map(rows.map(([type = '', ending = '']) => [type, ending]));
const byEnding = new Map(rows.flatMap(([type = '', ...endings]) => endings.map((ending) => [ending, type])));

/** Main types, by which collections can be filtered. */
export const mediaTypes = ['image', 'video', 'text', 'application', 'audio'] as const;

export const allowedTypes: readonly string[] = [...endings.keys()];

export const mediaType: DescribedType = {
  slug: 'attachment',
  base: 'media',
  name: 'Media',
  singular: 'Media',
  icon: 'dashicons-admin-media',
  hierarchical: false,
  taxonomies: [],
  supports: new Set(['title', 'author', 'comments']),
  viewable: true,
  inMenus: false,
  noun: 'post',
  rightNames: { create_posts: 'upload_files' },
  edit: 'edit_posts',
};

/** The media type of an extension (without its dot); undefined if it is not allowed. */
export function typeOfExtension(ending: string): string | undefined {
  return byEnding.get(ending.toLowerCase());
}

export function extensionOfType(type: string): string | undefined {
  return endings.get(type);
}

/** The main type of a media type, such as `image`. */
export function mainType(type: string): string {
  return type.slice(0, type.indexOf('/'));
}

export function isImageType(type: string): boolean {
  return type.startsWith('image/');
}
