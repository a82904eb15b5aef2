// The browser knows these classes of characters by itself.
export const P = /\p{P}/u;
export const S = /\p{S}/u;
export const Z = /\p{Z}/u;
