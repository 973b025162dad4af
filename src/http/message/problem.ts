import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { asciiJson, type JsonText } from '#text/json.ts';

/** Codes for missing rights: 401 for anonymous requests, 403 for users. */
const DENIALS = new Set([
  'rest_forbidden',
  'rest_forbidden_context',
  'rest_forbidden_status',
  'rest_forbidden_orderby',
  'rest_forbidden_who',
  'rest_cannot_create',
  'rest_cannot_create_user',
  'rest_cannot_edit',
  'rest_cannot_edit_image',
  'rest_cannot_edit_roles',
  'rest_cannot_undo',
  'rest_cannot_update',
  'rest_cannot_delete',
  'rest_cannot_publish',
  'rest_cannot_read',
  'rest_cannot_read_post',
  'rest_cannot_create_note',
  'rest_forbidden_param',
  'rest_comment_invalid_author',
  'rest_comment_invalid_author_ip',
  'rest_comment_invalid_status',
  'rest_cannot_read_type',
  'rest_cannot_read_status',
  'rest_cannot_view',
  'rest_cannot_view_active_theme',
  'rest_cannot_view_themes',
  'rest_cannot_view_plugins',
  'rest_cannot_install_plugin',
  'rest_cannot_read_global_styles',
  'rest_cannot_manage_templates',
  'rest_cannot_manage_widgets',
  'rest_cannot_export_templates',
  'rest_cannot_view_url_details',
  'rest_block_type_cannot_view',
  'rest_pattern_directory_cannot_view',
  'block_cannot_read',
  'rest_cannot_edit_others',
  'rest_cannot_assign_sticky',
  'rest_cannot_assign_term',
  'rest_user_cannot_view',
  'rest_user_cannot_delete',
  'rest_cannot_list_application_passwords',
  'rest_cannot_create_application_passwords',
  'rest_cannot_delete_application_passwords',
  'rest_cannot_read_application_password',
  'rest_cannot_edit_application_password',
  'rest_cannot_delete_application_password',
  'rest_cannot_introspect_app_password_for_non_authenticated_user',
]);

/** Status of every other code that is not simply a bad request (interface behaviour, section 2). */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['rest_not_logged_in', 401],
  ['rest_comment_login_required', 401],
  ['rest_cookie_invalid_nonce', 403],
  ['rest_cross_site_request', 403],
  ['rest_forbidden_token', 403],
  ['too_many_tokens', 409],
  ['token_not_found', 404],
  ['rest_forbidden_prefetch', 403],
  ['rest_post_incorrect_password', 403],
  ['rest_read_only', 403],
  ['rest_comment_invalid_post_id', 403],
  ['rest_comment_draft_post', 403],
  ['rest_comment_trash_post', 403],
  ['rest_comment_closed', 403],
  ['rest_comment_not_supported_post_type', 403],
  ['rest_no_route', 404],
  ['rest_not_found', 404],
  ['block_invalid', 404],
  ['rest_invalid_namespace', 404],
  ['rest_post_invalid_id', 404],
  ['rest_unknown_attachment', 404],
  ['no_response', 404],
  ['no_content', 404],
  ['rest_post_invalid_parent', 404],
  ['rest_revision_parent_id_mismatch', 404],
  ['rest_post_no_autosave', 404],
  ['rest_term_invalid', 404],
  ['rest_comment_invalid_id', 404],
  ['rest_comment_invalid_type', 404],
  ['rest_type_invalid', 404],
  ['rest_theme_not_found', 404],
  ['rest_global_styles_not_found', 404],
  ['rest_template_not_found', 404],
  ['rest_block_type_invalid', 404],
  ['rest_icon_collection_not_found', 404],
  ['rest_icon_not_found', 404],
  ['rest_plugin_not_found', 404],
  ['rest_sidebar_not_found', 404],
  ['rest_widget_not_found', 404],
  ['rest_widget_type_invalid', 404],
  ['rest_font_collection_not_found', 404],
  ['rest_taxonomy_invalid', 404],
  ['rest_status_invalid', 404],
  ['rest_user_invalid_id', 404],
  ['rest_user_invalid_role', 403],
  ['last_administrator', 403],
  ['rest_application_password_not_found', 404],
  ['rest_no_authenticated_app_password', 404],
  ['no_fallback_menu', 404],
  ['rest_menu_location_invalid', 404],
  ['oembed_invalid_url', 404],
  ['contact_message_not_found', 404],
  ['rest_hook_not_found', 404],
  ['proof_not_found', 404],
  ['erasure_not_found', 404],
  ['rest_audit_not_found', 404],
  ['rest_request_timeout', 408],
  ['rest_no_such_position', 404],
  ['rest_no_such_address', 404],
  ['rest_release_not_found', 404],
  ['rest_preview_not_found', 404],
  ['rest_preview_ended', 403],
  ['rest_no_such_request', 404],
  ['rest_upload_not_found', 404],
  ['rest_upload_offset', 409],
  ['rest_upload_expired', 410],
  ['rest_upload_protocol', 412],
  ['rest_too_many_uploads', 429],
  ['rest_release_conflicts', 409],
  ['rest_release_not_approved', 409],
  ['rest_release_closed', 409],
  ['rest_release_empty', 409],
  ['rest_cannot_approve', 403],
  ['comment_duplicate', 409],
  ['rest_undo_conflicts', 409],
  ['rest_nothing_to_undo', 409],
  ['proof_too_early', 409],
  ['rest_already_trashed', 410],
  ['rest_template_already_trashed', 410],
  ['rest_precondition_failed', 412],
  ['rest_upload_hash_mismatch', 412],
  ['rest_request_too_large', 413],
  ['rest_text_too_long', 413],
  ['rest_too_many_attempts', 429],
  ['rest_too_many_comments', 429],
  ['rest_too_many_messages', 429],
  ['rest_too_many_answers', 429],
  ['rest_idempotency_key_reused', 422],
  ['rest_header_too_large', 431],
  ['internal_server_error', 500],
  ['rest_trash_not_supported', 501],
  ['rest_store_unavailable', 503],
  ['rest_files_unavailable', 503],
  ['not_available', 503],
  ['rest_too_many_readers', 503],
  ['rest_too_many_writes', 503],
  ['rest_too_many_images', 503],
  ['rest_too_many_bodies', 503],
  ['rest_too_many_logins', 503],
  ['rest_outcome_unknown', 503],
  ['rest_server_stopping', 503],
  ['rest_clock_leapt', 503],
  ['rest_data_damaged', 503],
  ['rest_plugin_too_slow', 503],
  ['log_unreadable', 503],
  ['history_differs', 503],
  ['rest_position_not_reached', 503],
]);

const BAD_REQUEST = 400;
const NO_HEADERS: Readonly<Record<string, string>> = {};
const RETRY: Readonly<Record<string, string>> = { 'Retry-After': '5' };

const UNAVAILABLE = refuse(
  'rest_store_unavailable',
  'The site cannot store changes at the moment. Please try again later.',
);
const LOG_UNREADABLE = refuse(
  'log_unreadable',
  'A part of the event log that the answer would be made of is damaged. It has to be restored from a backup.',
);
const TOO_LARGE = refuse('rest_request_too_large', 'The request would change more than fits into one commit.');

/** Exceptions that get a more specific response than a plain 500, by the name of the error. */
const FAULTS: Readonly<Record<string, Refusal>> = {
  LogUnavailable: UNAVAILABLE,
  LogDamaged: LOG_UNREADABLE,
  UnreadableEvent: LOG_UNREADABLE,
  UnknownEvent: LOG_UNREADABLE,
  FilesUnavailable: UNAVAILABLE,
  ObjectsUnavailable: refuse(
    'rest_files_unavailable',
    'Uploaded files cannot be reached at the moment. Please try again later.',
  ),
  ClockLeapt: refuse(
    'rest_clock_leapt',
    'The clock of the server cannot be trusted. Nothing is stored until it is right.',
  ),
  OutcomeUnknown: refuse(
    'rest_outcome_unknown',
    'It is not known whether the change was stored. Please look, or send it again with its Idempotency-Key.',
  ),
  TooManyWrites: refuse('rest_too_many_writes', 'Too many changes are waiting. Please try again later.'),
  ProjectionsDamaged: refuse(
    'rest_data_damaged',
    'What the answer would be made of is damaged and is being made again. Please try again later.',
  ),
  PluginTooSlow: refuse('rest_plugin_too_slow', 'The plugin of this route does not answer. Please try again later.'),
  CommitTooLarge: TOO_LARGE,
  AppendTooLarge: TOO_LARGE,
};
/** Codes of errors from SQLite. The second one: the file is closed, since it could not be opened again after a fault. */
const SQLITE_FAULTS: ReadonlySet<unknown> = new Set(['ERR_SQLITE_ERROR', 'ERR_INVALID_STATE']);
const CRITICAL = refuse('internal_server_error', 'There has been a critical error on this website.');

export function statusOf({ code, about, status }: Pick<Refusal, 'code' | 'about' | 'status'>, viewer: Viewer): number {
  if (status !== undefined) return status;
  if (DENIALS.has(code)) return viewer.id === 0 ? 401 : 403;
  return about === 'input' ? BAD_REQUEST : (STATUSES.get(code) ?? BAD_REQUEST);
}

/** Codes with a status other than 400, by status. Those for missing rights are under 401. */
export function codesByStatus(): ReadonlyMap<number, readonly string[]> {
  const all = [...[...DENIALS].map((code) => [code, 401] as const), ...STATUSES];
  const byStatus = Map.groupBy(all, ([, status]) => status);
  return new Map([...byStatus].map(([status, rows]) => [status, rows.map(([code]) => code)]));
}

export function problemText(refusal: Refusal, status: number): JsonText {
  const { code, message, data, extra } = refusal;
  return asciiJson({ code, message, data: { status, ...data }, ...extra });
}

export function problemHeaders({ code, data }: Refusal): Readonly<Record<string, string>> {
  const wait = data?.['retry_after'];
  if (typeof wait === 'number') return { 'Retry-After': String(wait) };
  return STATUSES.get(code) === 503 ? RETRY : NO_HEADERS;
}

/** Adds the id under which the server's log lines describe a fault (interface behaviour, section 4). */
export function traced(refusal: Refusal, correlationId: string): Refusal {
  return { ...refusal, data: { ...refusal.data, correlation_id: correlationId } };
}

export function isTooLarge(error: unknown): boolean {
  return refusalFor(error) === TOO_LARGE;
}

/** The refusal sent for an exception; it never reveals details. */
export function refusalFor(error: unknown): Refusal {
  if (error instanceof Error && 'code' in error && SQLITE_FAULTS.has(error.code)) return UNAVAILABLE;
  const name = error instanceof Error ? error.name : '';
  if (name === 'Refused') return (error as Error & { readonly refusal: Refusal }).refusal;
  return (Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined) ?? CRITICAL;
}
