// Hands the window its message port; nothing else crosses here.
export {};
