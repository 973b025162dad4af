export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** JSON text in ASCII (everything else escaped), ready to be sent. */
export type JsonText = string;
