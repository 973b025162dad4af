declare namespace App {
  interface Locals {
    /** Token of the preview that a visitor looks around in. */
    preview: string | null;
  }
}
