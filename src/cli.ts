import { keepCompiled } from './compiled.ts';

keepCompiled();
await import('./command.ts');
