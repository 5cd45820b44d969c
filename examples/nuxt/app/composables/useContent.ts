import { createClient } from 'quarry-client'

export const useContent = () =>
  createClient({ url: useRuntimeConfig().public.quarryUrl, workspace: 'handbook' })
