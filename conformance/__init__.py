"""Live comparison of Kinetree with the installed reference, MuJoCo 3.8.0, over folders of models."""
