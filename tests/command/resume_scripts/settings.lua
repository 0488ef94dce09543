return { kick = 0.7 }
