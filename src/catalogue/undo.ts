import { areas } from './areas.ts';

/** What an undo does about the events of a type: it gives back what they changed, leaves what they did, or cannot take it back. */
export type UndoReach =
  | { readonly does: 'undo' }
  /** Left without a word: it follows from other events, or is no content. */
  | { readonly does: 'leave'; readonly why: string }
  /** A conflict. */
  | { readonly does: 'refuse'; readonly why: string };

const undo: UndoReach = { does: 'undo' };
const leave = (why: string): UndoReach => ({ does: 'leave', why });
const cannot = (why: string): UndoReach => ({ does: 'refuse', why });

const credentials = cannot('access that was given or withdrawn stays so: use the commands for accounts');
const erasure = cannot('what was erased is gone');
const operator = cannot('the operator set it: it comes from the settings of the server');
const madeAgain = leave('it is made again when it is needed');
const revision = leave('revisions and autosaves are kept beside an item; texts of all versions are in the log');

/** By event type, for those that an undo does not give back. */
const exceptions: Readonly<Record<string, UndoReach>> = {
  EntryRevisionKept: revision,
  EntryRevisionDeleted: revision,
  EntryAutosaved: revision,
  EntryRevisionImported: revision,
  TemplateAutosaved: revision,
  TemplateRevisionDeleted: revision,
  EntryErased: erasure,
  MediaErased: erasure,
  CommentErased: erasure,
  UserErased: erasure,
  AddressErased: erasure,
  AddressKeyMade: leave('a key of the site, no content'),
  MediaSizesMade: leave('sizes of an image that were made stay made'),
  RequestAnswered: leave('an answer that is kept for a repeated request'),
  ClockFoundBehind: leave('a note about the clock'),
  CommitsUndone: leave('names what was undone; the other events of its commit are given back'),
  SiteConfigured: operator,
  SiteAddressChanged: operator,
  UserAdded: cannot('an account that was made stays: disable or delete it'),
  UserDeleted: cannot('an account that was deleted does not come back, nor do its passwords: make it anew'),
  UserSecretSet: credentials,
  UserPasswordIssued: credentials,
  UserTokenIssued: credentials,
  UserPasswordRevoked: credentials,
  UserPasswordRenamed: credentials,
  ContactMessageReceived: cannot('a message was received: delete it'),
  ContactMessageDeleted: cannot('a message that was deleted stays deleted: its sender counts on it'),
  RenditionCreated: madeAgain,
  RenditionsDropped: madeAgain,
  PageAssetStored: madeAgain,
  PageAssetCleared: madeAgain,
  BypassCodeRegenerated: cannot('the former code does not become valid again'),
  PluginActivated: cannot('a plugin that was activated stays so'),
  ThemeSwitched: cannot('a theme is switched by hand'),
  ThemeInstalled: leave('a theme that was installed stays installed'),
};

/** Types of events of plugins that only note what others did. */
const notes: ReadonlySet<string> = new Set(areas.flatMap((area) => area.notes ?? []));

/** Streams of areas whose documents can be given back. */
const givenBack: ReadonlySet<string> = new Set(['plugin-templates', 'plugin-site-styles', 'plugin-host-tools']);

/** What an undo does about an event. `stream`: where it is. */
export function undoReach(type: string, stream: string): UndoReach {
  const known = exceptions[type];
  if (known !== undefined) return known;
  if (notes.has(type)) return leave('a note of a plugin about what others did');
  if (stream === 'plugin-holds') return cannot('a hold is lifted by a person who says why');
  if (stream === 'plugin-previews') return credentials;
  if (stream === 'plugin-migrations') return leave('a note about what was imported');
  if (stream === 'plugin-releases') return leave('releases and what they contain are kept');
  if (!stream.startsWith('plugin-') || givenBack.has(stream)) return undo;
  return stream === 'plugin-hooks'
    ? cannot('what was sent to others cannot be called back: change the hook itself')
    : cannot('it belongs to a plugin, which has to change it itself');
}
