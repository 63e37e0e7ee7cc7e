"""How far a training is.

figures       what the training itself tells in its learning curve
progress_bar  a bar in the terminal
tracker       HParams of TensorBoard, Weights & Biases, MLflow
"""
