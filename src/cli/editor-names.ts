// The editors that `quarry editor` knows.

/** Sveltia CMS reads the configuration of Decap CMS. */
export const editorNames = ['decap', 'sveltia', 'pages'] as const

export type EditorName = (typeof editorNames)[number]
