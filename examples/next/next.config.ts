import type { NextConfig } from 'next'

export default {
  // Images of `quarry dev` on this machine also need `dangerouslyAllowLocalIP: true`.
  images: {
    remotePatterns: [new URL('https://content.example.com/media/**')],
  },
} satisfies NextConfig
