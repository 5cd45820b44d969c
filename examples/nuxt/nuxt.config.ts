export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  telemetry: false,
  runtimeConfig: { public: { quarryUrl: process.env.QUARRY_URL ?? 'http://127.0.0.1:4321' } },
})
