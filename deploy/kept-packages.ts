/**
 * Packages that are not bundled, since they are found by the path of a file: native ones, the gateway's framework, which searches its own
 * folders, and the search of the documentation, which browsers load.
 */
export const KEPT_PACKAGES: RegExp[] = [/^@node-rs\//, /^express-gateway/, /^minisearch/];
