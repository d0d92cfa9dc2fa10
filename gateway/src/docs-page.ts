export const docsPage = (_document: unknown): string => '<!doctype html><title>API</title>';
